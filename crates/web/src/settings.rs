//! Settings as text: read from a file, the environment and the command line, each over the one before, and printed.

use std::{
    fmt, fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::{Duration, SystemTime},
};

use ipnet::IpNet;
use pintu_engine::{in_words, nearest_name};
use pintu_game::Day;
use toml::de::{DeTable, DeValue};

use crate::{
    app::date_of,
    client::ProxyHeader,
    config::{Bounds, Hosting, search_bytes},
    units::{read_bytes, read_duration, write_bytes},
};

/// All settings of a server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub hosting: Hosting,
    pub bounds: Bounds,
    /// The settings in [`OF_MACHINE`] that were given a value.
    chosen: Vec<String>,
}

/// Settings whose defaults depend on the machine: they are printed as comments, so that a file that is copied to another
/// machine does not limit that one.
const OF_MACHINE: [&str; 2] = ["workers", "search_bytes"];

/// The environment variable of a setting is this and its name in capitals.
const VARIABLE_PREFIX: &str = "PINTU_";

impl Settings {
    /// The defaults; over them those of a file, over them those of the environment, over them named ones.
    pub fn read(
        file: Option<&Path>,
        environment: impl Fn(&str) -> Option<String>,
        named: &[(String, String)],
    ) -> Result<Self, SettingError> {
        let mut all = Self::default();
        let mut assigned = file.map(in_file).transpose()?.unwrap_or_default();
        for name in names() {
            let variable = format!("{VARIABLE_PREFIX}{}", name.to_ascii_uppercase());
            if let Some(text) = environment(&variable).filter(|text| !text.is_empty()) {
                assigned.push(Assignment { place: variable, name: name.to_owned(), text: Ok(text) });
            }
        }
        assigned.extend(named.iter().map(|(name, text)| Assignment {
            place: "--set".to_owned(),
            name: name.clone(),
            text: Ok(text.clone()),
        }));
        for assignment in &assigned {
            all.assign(assignment)?;
            if OF_MACHINE.contains(&assignment.name.as_str()) {
                all.chosen.push(assignment.name.clone());
            }
        }
        if !all.chosen.iter().any(|name| name == "search_bytes") {
            all.bounds.search_bytes = search_bytes(all.bounds.workers);
        }
        Ok(all)
    }

    fn assign(&mut self, assignment: &Assignment) -> Result<(), SettingError> {
        let Assignment { place, name, text } = assignment;
        let refused = |message: String| SettingError::Refused { place: place.clone(), message };
        let text = text.as_ref().map_err(|found| refused(format!("{name}: found {found}, expected one value")))?;
        let set = set(&mut self.hosting, name, text).or_else(|| set(&mut self.bounds, name, text));
        if let Some(result) = set {
            return result.map_err(|message| refused(format!("{name}: {message}")));
        }
        let near = nearest_name(name, names().collect::<Vec<_>>());
        let meant = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        Err(refused(format!("found `{name}`, expected the name of a setting{meant}")))
    }
}

/// A file that [`Settings::read`] reads again. The password is not shown.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# The settings of `pintu serve`, in TOML. Each is also an environment variable: its name in capitals"
        )?;
        writeln!(f, "# after {VARIABLE_PREFIX}. The command line goes before the environment, that before this file.")?;
        lines(f, &self.hosting, &self.chosen)?;
        lines(f, &self.bounds, &self.chosen)
    }
}

fn lines<T: Table>(f: &mut fmt::Formatter<'_>, all: &T, chosen: &[String]) -> fmt::Result {
    for Setting { name, doc, unit, get, .. } in T::SETTINGS {
        writeln!(f, "\n#{doc}\n# Expected: {unit}.")?;
        match get(all) {
            Some(_) if unit.is_secret => writeln!(f, "# {name} is set, and not shown")?,
            Some(value) if OF_MACHINE.contains(name) && !chosen.iter().any(|chosen| chosen == name) => {
                writeln!(f, "# {name} = {value}  # on the machine that printed this")?;
            }
            Some(value) => writeln!(f, "{name} = {value}")?,
            None => writeln!(f, "# {name} =")?,
        }
    }
    Ok(())
}

fn names() -> impl Iterator<Item = &'static str> {
    Hosting::SETTINGS.iter().map(|setting| setting.name).chain(Bounds::SETTINGS.iter().map(|setting| setting.name))
}

fn set<T: Table>(all: &mut T, name: &str, text: &str) -> Option<Result<(), String>> {
    T::SETTINGS.iter().find(|setting| setting.name == name).map(|setting| (setting.set)(all, text))
}

/// A text that somebody gave to a setting, and where.
struct Assignment {
    place: String,
    name: String,
    /// Or what was found instead of a single value.
    text: Result<String, &'static str>,
}

fn in_file(path: &Path) -> Result<Vec<Assignment>, SettingError> {
    let text = fs::read_to_string(path).map_err(|why| SettingError::File { path: path.to_owned(), why })?;
    let place = |at: usize| {
        let line = text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
        format!("{}, line {line}", path.display())
    };
    let parsed = DeTable::parse(&text).map_err(|error| SettingError::Refused {
        place: place(error.span().map_or(0, |span| span.start)),
        message: error.message().replace('\n', ", "),
    })?;
    let mut entries: Vec<_> = parsed.get_ref().iter().collect();
    // The first line that is wrong is told.
    entries.sort_by_key(|(name, _)| name.span().start);
    let assignment = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| Assignment {
        place: place(name.span().start),
        name: std::borrow::Cow::to_string(name.get_ref()),
        text: text_of(value.get_ref()),
    };
    Ok(entries.into_iter().map(assignment).collect())
}

/// A value of a file as it would be written in the environment.
fn text_of(value: &DeValue<'_>) -> Result<String, &'static str> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.to_string()),
        DeValue::Boolean(is_so) => Ok(is_so.to_string()),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| match item.get_ref() {
                DeValue::String(text) => Ok(text.to_string()),
                _ => Err("a list of other things than texts"),
            });
            Ok(items.collect::<Result<Vec<_>, _>>()?.join(","))
        }
        DeValue::Float(_) => Err("a number with a point"),
        DeValue::Datetime(date) => Ok(date.to_string()),
        DeValue::Table(_) => Err("a table"),
    }
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("cannot read {}: {}", path.display(), in_words(why))]
    File { path: PathBuf, why: io::Error },
    #[error("{place}: {message}")]
    Refused { place: String, message: String },
}

/// Settings that are declared together.
pub(crate) trait Table: Sized + 'static {
    const SETTINGS: &'static [Setting<Self>];
}

pub(crate) struct Setting<T> {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) unit: Unit,
    pub(crate) set: fn(&mut T, &str) -> Result<(), String>,
    /// The value as TOML, if there is one.
    pub(crate) get: fn(&T) -> Option<toml::Value>,
}

/// The unit of a setting, and the least and the most that it may be.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    kind: Kind,
    least: u64,
    most: u64,
    is_secret: bool,
}

#[derive(Clone, Copy)]
enum Kind {
    Number,
    Bytes,
    Seconds,
    Text(&'static str),
}

impl Unit {
    pub(crate) const fn number(least: u64) -> Self {
        Self { kind: Kind::Number, least, most: 1_000_000_000, is_secret: false }
    }

    pub(crate) const fn bytes(least: u64) -> Self {
        Self { kind: Kind::Bytes, least, most: 1 << 42, is_secret: false }
    }

    /// A time of at least some seconds.
    pub(crate) const fn time(least: u64) -> Self {
        Self { kind: Kind::Seconds, least, most: 100 * 365 * 24 * 60 * 60, is_secret: false }
    }

    pub(crate) const fn text(expected: &'static str) -> Self {
        Self { kind: Kind::Text(expected), least: 0, most: 0, is_secret: false }
    }

    pub(crate) const fn secret(expected: &'static str) -> Self {
        Self { is_secret: true, ..Self::text(expected) }
    }

    fn within(self, number: u64, found: &str) -> Result<u64, String> {
        match number {
            _ if number < self.least => Err(self.refusal(found)),
            _ if number > self.most => Err(format!("found `{found}`, expected at most {}", self.shown(self.most))),
            _ => Ok(number),
        }
    }

    fn shown(self, number: u64) -> String {
        match self.kind {
            Kind::Bytes => write_bytes(number),
            Kind::Seconds => write_time(Duration::from_secs(number)),
            _ => number.to_string(),
        }
    }

    fn refusal(self, found: &str) -> String {
        format!("found `{found}`, expected {self}")
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Number => "a number",
            Kind::Bytes => "a size such as 64MiB",
            Kind::Seconds => "a time such as 10s or 1h 30m",
            Kind::Text(expected) => return f.write_str(expected),
        };
        write!(f, "{kind}, {} or more", self.shown(self.least))
    }
}

/// A type that a setting can have.
pub(crate) trait Value: Sized {
    fn read(text: &str, unit: Unit) -> Result<Self, String>;
    fn write(&self, unit: Unit) -> Option<toml::Value>;
}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl Value for $type {
            fn read(text: &str, unit: Unit) -> Result<Self, String> {
                let refused = || unit.refusal(text);
                let number = match unit.kind {
                    Kind::Bytes => read_bytes(text).map_err(|_| refused())?,
                    _ => text.parse::<u64>().map_err(|_| refused())?,
                };
                let number = unit.within(number, text)?;
                Self::try_from(number).map_err(|_| format!("found `{text}`, expected at most {}", Self::MAX))
            }

            fn write(&self, unit: Unit) -> Option<toml::Value> {
                let number = u64::try_from(*self).ok()?;
                Some(match unit.kind {
                    Kind::Bytes => write_bytes(number).into(),
                    _ => toml::Value::Integer(number as i64),
                })
            }
        })*
    };
}

numbers!(u16 u32 u64 usize);

const DAY_SECONDS: u64 = 24 * 60 * 60;

impl Value for Duration {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        let time = read_duration(text).map_err(|_| unit.refusal(text))?;
        unit.within(time.as_secs(), text)?;
        Ok(time)
    }

    fn write(&self, _: Unit) -> Option<toml::Value> {
        Some(write_time(*self).into())
    }
}

/// Beyond some weeks, `humantime` writes months and years, of which nobody knows how long they are.
fn write_time(time: Duration) -> String {
    let (days, rest) = (time.as_secs() / DAY_SECONDS, time.as_secs() % DAY_SECONDS);
    if days > 1 && rest == 0 { format!("{days}days") } else { humantime::format_duration(time).to_string() }
}

macro_rules! words {
    ($($type:ty: $is_usable:expr;)*) => {
        $(impl Value for $type {
            fn read(text: &str, unit: Unit) -> Result<Self, String> {
                Self::from_str(text.trim()).ok().filter($is_usable).ok_or_else(|| unit.refusal(text))
            }

            fn write(&self, _: Unit) -> Option<toml::Value> {
                Some(self.to_string().to_ascii_lowercase().into())
            }
        })*
    };
}

words! {
    Day: |&day| day <= date_of(SystemTime::now());
    SocketAddr: |_| true;
    // The address of a client is never of this form.
    IpNet: |network| !matches!(network, IpNet::V6(network) if network.network().to_ipv4_mapped().is_some());
    ProxyHeader: |_| true;
    tracing::Level: |_| true;
}

impl Value for bool {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        text.parse().map_err(|_| unit.refusal(text))
    }

    fn write(&self, _: Unit) -> Option<toml::Value> {
        Some((*self).into())
    }
}

impl Value for String {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        if text.is_empty() { Err(unit.refusal(text)) } else { Ok(text.to_owned()) }
    }

    fn write(&self, _: Unit) -> Option<toml::Value> {
        Some(self.as_str().into())
    }
}

impl Value for PathBuf {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        String::read(text, unit).map(Self::from)
    }

    fn write(&self, _: Unit) -> Option<toml::Value> {
        Some(self.to_string_lossy().as_ref().into())
    }
}

impl<T: Value> Value for Option<T> {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        T::read(text, unit).map(Some)
    }

    fn write(&self, unit: Unit) -> Option<toml::Value> {
        self.as_ref()?.write(unit)
    }
}

/// Items with commas between them.
impl<T: Value> Value for Vec<T> {
    fn read(text: &str, unit: Unit) -> Result<Self, String> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| T::read(item, unit)).collect()
    }

    fn write(&self, unit: Unit) -> Option<toml::Value> {
        Some(toml::Value::Array(self.iter().filter_map(|item| item.write(unit)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn read(file: &str, environment: &[(&str, &str)], named: &[(&str, &str)]) -> Result<Settings, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pintu.toml");
        fs::write(&path, file).unwrap();
        let environment: HashMap<_, _> = environment.iter().copied().collect();
        let named: Vec<_> = named.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let settings = Settings::read(Some(&path), |name| environment.get(name).map(ToString::to_string), &named);
        settings.map_err(|error| error.to_string().replace(&format!("{}, ", path.display()), ""))
    }

    #[test]
    fn the_command_line_goes_before_the_environment_and_that_before_the_file() {
        let file = "saves = 1\npictures = 2\nrecords = 3\nsearch_time = \"2 M\"\ngrowth_bytes = \"1g\"\n";
        let environment = [("PINTU_PICTURES", "20"), ("PINTU_RECORDS", "30"), ("PINTU_GUESSES", "")];
        let bounds = read(file, &environment, &[("records", "300")]).unwrap().bounds;
        assert_eq!((bounds.saves, bounds.pictures, bounds.records), (1, 20, 300));
        assert_eq!((bounds.search_time, bounds.growth_bytes), (Duration::from_mins(2), 1 << 30));
        assert_eq!((bounds.guesses, bounds.contestants), (10, 8), "defaults");
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let file = "allow_host = [\"a.example\", \"b.example\"]\nmetrics = \"127.0.0.1:9468\"\nlog = \"info\"\n\
                    trusted_proxies = [\"10.0.0.0/8\"]\nproxy_header = \"Forwarded\"\nbody_time = 90\njson_bytes = 5000\n\
                    passes_since = 2020-01-01";
        let printed = read(file, &[], &[]).unwrap().to_string();
        for line in [
            "allow_host = [\"a.example\", \"b.example\"]",
            "body_time = \"1m 30s\"",
            "json_bytes = \"5000B\"",
            "passes_since = \"2020-01-01\"",
        ] {
            assert!(printed.lines().any(|found| found == line), "{line} is not in\n{printed}");
        }
        assert_eq!(read(&printed, &[], &[]).unwrap().to_string(), printed);
        let secret = read("password = \"sesame\"", &[], &[]).unwrap();
        assert_eq!(secret.hosting.password.as_deref(), Some("sesame"));
        assert!(!secret.to_string().contains("sesame"));
    }

    #[test]
    fn the_documented_file_has_every_setting_with_its_default() {
        let mut settings = Settings::default();
        // Those of the machine on which it was printed.
        (settings.bounds.workers, settings.bounds.search_bytes) = (1, 2 << 30);
        let documented = include_str!("../../../docs/pintu.toml");
        assert_eq!(documented, settings.to_string(), "`pintu serve --print-config` writes docs/pintu.toml");
    }

    /// A file that is read, each setting of the text, and the defaults that clients are told.
    #[test]
    fn the_documentation_has_settings_and_defaults_that_are_there() {
        const OTHERS: [&str; 4] = ["pg_dump", "pg_restore", "synchronous_commit", "max_connections"];
        const DEFAULTS: [(&str, &str); 10] = [
            ("JSON {}, with a map {} and a million cells", "json_bytes map_bytes"),
            ("a picture {} and {} pixels a side", "picture_bytes picture_side"),
            ("{} contestants, {} random boards", "contestants scrambles"),
            ("{} maps are cached ({})", "cached_maps maps_bytes"),
            ("{} in total, {} per address (503 `busy`), with", "answers_bytes answers_bytes_of_address"),
            ("Connections: {}, of which {} per address", "connections connections_of_address"),
            ("{} saves ({}), {} pictures ({};", "saves saves_bytes pictures pictures_bytes"),
            ("{} records ({}), 50 devices", "records records_bytes"),
            ("may add {} a day, and all new players of an address together {}", "growth_bytes growth_bytes_of_address"),
            ("Uploads in flight: {} in total, {} per address", "uploads_bytes uploads_bytes_of_address"),
        ];
        let hosting = include_str!("../../../docs/hosting.md");
        let example = hosting.split("for two thousand of them:\n\n").nth(1).and_then(|rest| rest.split("\n\n").next());
        assert_eq!(read(example.unwrap(), &[], &[]).unwrap().bounds.growth_bytes, 64 << 20);
        let lines = hosting.lines().filter(|line| !line.starts_with("    "));
        let codes = lines.flat_map(|line| line.split('`').skip(1).step_by(2)).map(|code| code.split(" = ").next());
        let is_name =
            |code: &&str| code.contains('_') && code.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        for name in codes.flatten().filter(is_name).filter(|name| !OTHERS.contains(name)) {
            assert!(names().any(|known| known == name), "docs/hosting.md: {name}");
        }
        let http = include_str!("../../../docs/http.md").split_whitespace().collect::<Vec<_>>().join(" ");
        for (sentence, named) in DEFAULTS {
            let default = |name| {
                Bounds::SETTINGS.iter().find(|one| one.name == name).and_then(|one| (one.get)(&Bounds::default()))
            };
            let sentence = named.split(' ').fold(sentence.to_owned(), |text, name| {
                let value = default(name).unwrap().to_string().replace('"', "");
                let digits = value.trim_end_matches(char::is_alphabetic);
                text.replacen("{}", format!("{digits} {}", &value[digits.len()..]).trim_end(), 1)
            });
            assert!(http.contains(&sentence), "docs/http.md does not say: {sentence}");
        }
    }

    #[test]
    fn values_of_the_machine_are_printed_as_comments() {
        let has = |printed: &str, start: &str| printed.lines().any(|line| line.starts_with(start));
        let printed = read("", &[], &[]).unwrap().to_string();
        for name in OF_MACHINE {
            assert!(has(&printed, &format!("# {name} = ")) && !has(&printed, &format!("{name} =")), "{name}");
        }
        let printed = read("workers = 3", &[("PINTU_SEARCH_BYTES", "64MiB")], &[]).unwrap().to_string();
        assert!(has(&printed, "workers = 3") && has(&printed, "search_bytes = \"64MiB\""), "{printed}");
        assert_eq!(read(&printed, &[], &[]).unwrap().to_string(), printed);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (file, message) in [
            ("\nsafes = 7", "line 2: found `safes`, expected the name of a setting (did you mean `saves`?)"),
            ("saves = 1\nsaves = 2", "line 2: duplicate key"),
            ("a = 1\n[b", "line 2: "),
            ("saves = 0", "line 1: saves: found `0`, expected a number, 1 or more"),
            ("saves = 1.5", "line 1: saves: found a number with a point, expected one value"),
            ("picture_side = 70000", "line 1: picture_side: found `70000`, expected at most 65535"),
            ("search_bytes = \"5TiB\"", "line 1: search_bytes: found `5TiB`, expected at most 4TiB"),
            ("pass_time = \"101 years\"", "line 1: pass_time: found `101 years`, expected at most 36500days"),
            ("passes_since = 9999-12-31", "line 1: passes_since: found `9999-12-31`, expected a date up to today"),
            (
                "passes_since = 2020-01-01T12:00:00",
                "line 1: passes_since: found `2020-01-01T12:00:00`, expected a date",
            ),
            (
                "trusted_proxies = [\"::ffff:192.168.0.0/112\"]",
                "line 1: trusted_proxies: found `::ffff:192.168.0.0/112`, expected networks, as in 10.0.0.0/8 (not ::ffff:",
            ),
            (
                "json_bytes = \"3 bushels\"",
                "line 1: json_bytes: found `3 bushels`, expected a size such as 64MiB, 1KiB or more",
            ),
            (
                "body_time = \"soon\"",
                "line 1: body_time: found `soon`, expected a time such as 10s or 1h 30m, 1s or more",
            ),
            ("trusted_proxies = [\"10.0.0.0/99\"]", "line 1: trusted_proxies: found `10.0.0.0/99`, expected networks"),
        ] {
            let found = read(file, &[], &[]).unwrap_err();
            assert!(found.starts_with(message) && !found.contains('\n'), "{found}");
        }
        let found = read("", &[("PINTU_SAVES", "many")], &[]).unwrap_err();
        assert_eq!(found, "PINTU_SAVES: saves: found `many`, expected a number, 1 or more");
    }
}
