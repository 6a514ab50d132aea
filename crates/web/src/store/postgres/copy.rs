//! The database as a side of a copy.

use std::error::Error;

use deadpool_postgres::Client;
use tokio::runtime::Runtime;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut};

use super::{connection, execute, first, schema};
use crate::store::{
    OpenError, StoreError,
    copy::{Order, Side, Table, Value},
};

struct Database {
    runtime: Runtime,
    client: Client,
}

/// Rows that are read at once; a picture may have megabytes.
const BATCH_ROWS: usize = 16;

pub(in crate::store) fn open_to_read(url: &str) -> Result<Box<dyn Side>, OpenError> {
    open(url, async |client| {
        client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
        if schema::is_new(client).await? {
            return Err(StoreError::Failed("found no tables of pintu in it".to_owned()));
        }
        schema::check(client).await
    })
}

pub(in crate::store) fn open_to_write(url: &str) -> Result<Box<dyn Side>, OpenError> {
    open(url, async |client| {
        client.batch_execute("BEGIN").await?;
        schema::prepare(client).await
    })
}

fn open(url: &str, begin: impl AsyncFnOnce(&Client) -> Result<(), StoreError>) -> Result<Box<dyn Side>, OpenError> {
    let in_database = |why| OpenError::Database { why };
    let settings = connection::settings(url)?;
    let runtime = connection::runtime().map_err(in_database)?;
    let opening = async {
        let client = connection::pool(settings, 1)?.get().await?;
        // A copy may take longer than any request.
        client.batch_execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0").await?;
        begin(&client).await?;
        Ok(client)
    };
    let client = runtime.block_on(opening).map_err(in_database)?;
    Ok(Box::new(Database { runtime, client }))
}

impl Side for Database {
    fn has_rows(&mut self, table: &Table) -> Result<bool, StoreError> {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", table.name);
        Ok(self.runtime.block_on(first(&self.client, &sql, &[]))?.is_some())
    }

    fn each(
        &mut self,
        table: &Table,
        visit: &mut dyn FnMut(&[Value]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let order = match table.order {
            Order::ByMaking => "number",
            Order::ByKey(key) => key,
        };
        let (columns, name) = (table.columns.join(", "), table.name);
        let declare = format!("DECLARE everything NO SCROLL CURSOR FOR SELECT {columns} FROM {name} ORDER BY {order}");
        self.run(&declare)?;
        loop {
            let fetch = format!("FETCH {BATCH_ROWS} FROM everything");
            let batch = self.runtime.block_on(self.client.query(&fetch, &[]))?;
            for row in &batch {
                let values = (0..row.len()).map(|at| row.try_get(at)).collect::<Result<Vec<Value>, _>>()?;
                visit(&values)?;
            }
            if batch.len() < BATCH_ROWS {
                return self.run("CLOSE everything");
            }
        }
    }

    fn clear(&mut self, table: &Table) -> Result<(), StoreError> {
        self.runtime.block_on(execute(&self.client, &format!("DELETE FROM {}", table.name), &[])).map(|_| ())
    }

    fn insert(&mut self, table: &Table, row: &[Value]) -> Result<(), StoreError> {
        let marks: Vec<String> = (1..=table.columns.len()).map(|at| format!("${at}")).collect();
        let (columns, marks) = (table.columns.join(", "), marks.join(", "));
        let sql = format!("INSERT INTO {} ({columns}) VALUES ({marks})", table.name);
        let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|value| value as _).collect();
        self.runtime.block_on(execute(&self.client, &sql, &values)).map(|_| ())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.run("COMMIT; ANALYZE")
    }
}

impl Database {
    fn run(&self, sql: &str) -> Result<(), StoreError> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *kind {
            Type::INT8 => Self::Number(i64::from_sql(kind, raw)?),
            Type::BYTEA => Self::Bytes(raw.to_vec()),
            _ => Self::Text(String::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::BYTEA].contains(kind)
    }
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Number(number) => number.to_sql_checked(kind, out),
            Self::Text(text) => text.to_sql_checked(kind, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        <Self as FromSql<'_>>::accepts(kind)
    }

    tokio_postgres::types::to_sql_checked!();
}
