//! The file as a side of a copy.

use std::path::Path;

use rusqlite::{
    Connection, ToSql, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};

use super::{FILE, connection, directory, schema};
use crate::store::{
    OpenError, StoreError,
    copy::{FACTS, Order, Side, Table, Value},
};

struct File(Connection);

pub(in crate::store) fn open_to_read(data: &Path) -> Result<Box<dyn Side>, OpenError> {
    let path = data.join(FILE);
    if !path.is_file() {
        return Err(OpenError::NoDatabase(path));
    }
    let opened = connection::open_to_read(&path, None).and_then(|connection| {
        schema::check_current(&connection)?;
        connection.execute_batch("BEGIN")?;
        Ok(connection)
    });
    Ok(Box::new(File(opened.map_err(|why| OpenError::File { path, why })?)))
}

pub(in crate::store) fn open_to_write(data: &Path) -> Result<Box<dyn Side>, OpenError> {
    directory::prepare(data, FILE).map_err(|why| OpenError::Directory { path: data.to_owned(), why })?;
    let path = data.join(FILE);
    let opened = connection::open(&path, None, connection::NO_LIMIT).and_then(|connection| {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(connection)
    });
    Ok(Box::new(File(opened.map_err(|why| OpenError::File { path, why })?)))
}

impl Side for File {
    fn has_rows(&mut self, table: &Table) -> Result<bool, StoreError> {
        Ok(self.0.prepare(&format!("SELECT 1 FROM {} LIMIT 1", table.name))?.exists([])?)
    }

    fn each(
        &mut self,
        table: &Table,
        visit: &mut dyn FnMut(&[Value]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let order = match table.order {
            Order::ByMaking => "rowid",
            Order::ByKey(key) => key,
        };
        // A fact has one value, of either kind.
        let columns = match table.name {
            FACTS => {
                "name, iif(typeof(value) = 'integer', value, NULL), iif(typeof(value) = 'blob', value, NULL)".to_owned()
            }
            _ => table.columns.join(", "),
        };
        let mut statement = self.0.prepare(&format!("SELECT {columns} FROM {} ORDER BY {order}", table.name))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..table.columns.len()).map(|at| value(row.get_ref(at)?)).collect::<Result<Vec<_>, _>>()?;
            visit(&values)?;
        }
        Ok(())
    }

    fn clear(&mut self, table: &Table) -> Result<(), StoreError> {
        self.0.execute(&format!("DELETE FROM {}", table.name), [])?;
        Ok(())
    }

    fn insert(&mut self, table: &Table, row: &[Value]) -> Result<(), StoreError> {
        let sql = if table.name == FACTS {
            "INSERT INTO facts VALUES (?1, COALESCE(?2, ?3))".to_owned()
        } else {
            let marks = vec!["?"; table.columns.len()].join(", ");
            format!("INSERT INTO {} ({}) VALUES ({marks})", table.name, table.columns.join(", "))
        };
        self.0.prepare_cached(&sql)?.execute(params_from_iter(row))?;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        Ok(self.0.execute_batch("COMMIT")?)
    }
}

fn value(found: ValueRef<'_>) -> Result<Value, StoreError> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|error| StoreError::Failed(error.to_string()));
    Ok(match found {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Number(number),
        ValueRef::Text(bytes) => Value::Text(text(bytes)?),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Real(_) => return Err(StoreError::Failed("found a number with a point".to_owned())),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
