//! Keys that a person carries from one device to another: pairing codes, and recovery phrases of words.

use bip39::{Language, Mnemonic};

use crate::{id::hex, store::Secret};

/// A recovery phrase: 128 random bits as twelve words of BIP 39, which notice most slips of the pen. It reads the same in
/// both languages.
pub(crate) struct Phrase([u8; BYTES]);

const BYTES: usize = 16;

impl Phrase {
    /// A new one, or nothing if the system has no random numbers to give.
    pub(crate) fn random() -> Option<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// Reads words of either language; Chinese ones may stand without spaces. `None` if they are no phrase.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        const MAX_BYTES: usize = 400;
        let text = Some(text).filter(|text| text.len() <= MAX_BYTES)?.to_lowercase();
        let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
        let words: Vec<String> = words
            .flat_map(
                |word| if word.is_ascii() { vec![word.to_owned()] } else { word.chars().map(String::from).collect() },
            )
            .collect();
        let (bytes, length) = Mnemonic::parse_normalized(&words.join(" ")).ok()?.to_entropy_array();
        bytes[..length].try_into().ok().map(Self)
    }

    pub(crate) fn english(&self) -> Option<String> {
        self.words(Language::English)
    }

    pub(crate) fn chinese(&self) -> Option<String> {
        self.words(Language::SimplifiedChinese)
    }

    fn words(&self, language: Language) -> Option<String> {
        let words = Mnemonic::from_entropy_in(language, &self.0).ok()?;
        Some(words.words().collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn secret(&self) -> Secret {
        Secret::of(&format!("phrase {}", hex(&self.0)))
    }
}

/// A pairing code: eight letters and digits, 40 random bits, which guesses within ten minutes do not find.
pub(crate) struct Code(String);

/// Crockford's digits of base 32, which leave out the letters that look like others.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

impl Code {
    pub(crate) fn random() -> Option<Self> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).ok()?;
        Some(Self(bytes.iter().map(|byte| char::from(DIGITS[usize::from(byte % 32)])).collect()))
    }

    /// Reads a code as people type it: small letters, spaces, dashes, O for 0 and I or L for 1.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let read = |letter: char| match letter.to_ascii_uppercase() {
            'O' => Some('0'),
            'I' | 'L' => Some('1'),
            letter => u8::try_from(letter).ok().filter(|byte| DIGITS.contains(byte)).map(char::from),
        };
        let letters = text.chars().take(4 * LENGTH).filter(|letter| !letter.is_whitespace() && *letter != '-');
        let code: String = letters.map(read).collect::<Option<_>>()?;
        (code.len() == LENGTH).then_some(Self(code))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn secret(&self) -> Secret {
        Secret::of(&format!("code {}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_read_in_both_languages_as_people_write_them() {
        let phrase = Phrase::random().unwrap();
        let (english, chinese) = (phrase.english().unwrap(), phrase.chinese().unwrap());
        assert_eq!(english.split(' ').count(), 12);
        let unspaced = chinese.replace(' ', "");
        assert_eq!(unspaced.chars().count(), 12);
        let lines: Vec<String> = (1..).zip(english.split(' ')).map(|(at, word)| format!("{at}. {word}")).collect();
        let numbered = lines.join("\n");
        for text in [
            &english,
            &chinese,
            &unspaced,
            &numbered,
            &english.to_uppercase(),
            &format!(" {unspaced}。"),
            &english.replace(' ', "\u{a0}"),
        ] {
            assert!(Phrase::parse(text).is_some_and(|read| read.secret() == phrase.secret()), "{text}");
        }
        let known = Phrase([0x7f; BYTES]);
        assert_eq!(
            known.english().unwrap(),
            "legal winner thank year wave sausage worth useful legal winner thank yellow"
        );
        assert!(Phrase::parse(&english).unwrap().secret() != known.secret());
    }

    #[test]
    fn other_texts_are_no_phrases() {
        let wrong = "legal winner thank year wave sausage worth useful legal winner thank thank";
        let short = "legal winner thank";
        for text in ["", short, wrong, &"legal ".repeat(500), "一二三", &"拼".repeat(12)] {
            assert!(Phrase::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn codes_are_read_as_people_type_them() {
        let code = Code::random().unwrap();
        let (first, second) = code.as_str().split_at(4);
        for text in [code.as_str(), &format!("{first}-{second}"), &format!(" {first} {second} ").to_lowercase()] {
            assert!(Code::parse(text).is_some_and(|read| read.secret() == code.secret()), "{text}");
        }
        assert_eq!(Code::parse("oil0-1234").unwrap().as_str(), "01101234");
        for text in ["", "1234567", "123456789", "1234567U", "一二三四五六七八"] {
            assert!(Code::parse(text).is_none(), "{text}");
        }
    }
}
