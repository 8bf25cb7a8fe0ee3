//! Web push: a message to a browser that is not looking, through the push service that the browser chose.
//! The service is told who sends (VAPID, RFC 8292) and cannot read the message (RFC 8291, RFC 8188).

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Key, Nonce};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use p256::{PublicKey, SecretKey};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use utoipa::ToSchema;

use super::{Message, call};
use crate::secret;

/// A browser that wants to be told, as its push service describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Subscription {
    /// Where the push service takes messages.
    pub(crate) endpoint: String,
    /// The browser's public key, base64url.
    pub(crate) p256dh: String,
    /// What the browser shares with the sender, base64url.
    pub(crate) auth: String,
}

impl Subscription {
    fn key(&self) -> Result<PublicKey, String> {
        let bytes = decoded(&self.p256dh)?;
        PublicKey::from_sec1_bytes(&bytes).map_err(|_| "this is no public key of a browser".into())
    }

    fn auth(&self) -> Result<Vec<u8>, String> {
        decoded(&self.auth).and_then(|a| match a.len() {
            16 => Ok(a),
            n => Err(format!("the secret of a browser has 16 bytes, not {n}")),
        })
    }

    /// Whether a message could be sent there.
    pub(crate) fn check(&self, private: bool) -> Result<(), String> {
        let url = call::checked(&self.endpoint, private)?;
        if url.scheme() != "https" && !private {
            return Err("a push service is called by https:// only".into());
        }
        self.key().and(self.auth()).map(drop)
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, String> {
    if text.len() > 200 {
        return Err("the keys of a browser are shorter".into());
    }
    BASE64.decode(text.trim_end_matches('=')).map_err(|_| "the keys of a browser are base64url".into())
}

/// A random secret key.
fn fresh() -> SecretKey {
    loop {
        // Nearly every number is a key.
        if let Ok(key) = SecretKey::from_slice(&secret::bytes::<32>()) {
            return key;
        }
    }
}

/// The keys by which push services know this server.
pub(crate) struct Keys(SecretKey);

impl Keys {
    /// New keys, as they are stored.
    pub(crate) fn fresh() -> String {
        BASE64.encode(fresh().to_bytes())
    }

    /// Keys as they were stored.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let bytes = BASE64.decode(text).map_err(|e| e.to_string())?;
        SecretKey::from_slice(&bytes).map(Self).map_err(|_| "the stored push key is no key".into())
    }

    /// The public key, for browsers.
    pub(crate) fn public(&self) -> String {
        BASE64.encode(self.0.public_key().to_sec1_bytes())
    }

    /// The header that says who sends.
    fn vapid(&self, audience: &str, subject: &str, now: i64) -> String {
        let part = |value: serde_json::Value| BASE64.encode(value.to_string());
        let head = part(serde_json::json!({ "typ": "JWT", "alg": "ES256" }));
        let claims = serde_json::json!({ "aud": audience, "exp": now + 12 * 3600, "sub": subject });
        let signed = format!("{head}.{}", part(claims));
        let signature: Signature = SigningKey::from(&self.0).sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", BASE64.encode(signature.to_bytes()), self.public())
    }

    /// Sends a message to a browser; `false` if the browser is gone for good.
    pub(crate) async fn send(
        &self,
        browser: &Subscription,
        message: &Message,
        subject: &str,
        private: bool,
    ) -> Result<bool, String> {
        let url = call::checked(&browser.endpoint, private)?;
        let first = message.tables.first();
        let text = serde_json::json!({
            "title": message.title,
            "link": if message.tables.len() == 1 { first.map_or("/", |t| &t.link) } else { "/" },
        });
        let body = sealed(browser, &fresh(), &secret::bytes(), text.to_string().as_bytes())?;
        let audience = url.origin().ascii_serialization();
        let headers = [
            ("authorization", self.vapid(&audience, subject, secret::now())),
            ("content-encoding", "aes128gcm".to_string()),
            ("content-type", "application/octet-stream".to_string()),
            ("ttl", "86400".to_string()),
            ("urgency", "normal".to_string()),
        ];
        let status = call::post(&url, &headers, body, private).await?;
        match status.as_u16() {
            200..300 => Ok(true),
            404 | 410 => Ok(false),
            _ => Err(format!("the push service answered with {status}")),
        }
    }
}

/// A text that only the browser can read.
fn sealed(browser: &Subscription, own: &SecretKey, salt: &[u8; 16], text: &[u8]) -> Result<Vec<u8>, String> {
    // One record of at most 4096 bytes, with its mark of the end and its seal.
    if text.len() > 3000 {
        return Err("the message is too long".into());
    }
    let theirs = browser.key()?;
    let (their_bytes, own_bytes) = (theirs.to_sec1_bytes(), own.public_key().to_sec1_bytes());
    let shared = own.diffie_hellman(&theirs);
    let long = |_| "a key could not be made".to_string();
    let mut info = b"WebPush: info\0".to_vec();
    info.extend_from_slice(&their_bytes);
    info.extend_from_slice(&own_bytes);
    let mut material = [0; 32];
    Hkdf::<Sha256>::new(Some(&browser.auth()?), shared.raw_secret_bytes())
        .expand(&info, &mut material)
        .map_err(long)?;
    let keys = Hkdf::<Sha256>::new(Some(salt), &material);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    keys.expand(b"Content-Encoding: aes128gcm\0", &mut key).map_err(long)?;
    keys.expand(b"Content-Encoding: nonce\0", &mut nonce).map_err(long)?;
    let mut plain = text.to_vec();
    plain.push(2);
    let seal = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key));
    let closed =
        seal.encrypt(&Nonce::from(nonce), &plain[..]).map_err(|_| "the message could not be sealed")?;
    let mut body = salt.to_vec();
    body.extend_from_slice(&4096u32.to_be_bytes());
    body.push(own_bytes.len() as u8);
    body.extend_from_slice(&own_bytes);
    body.extend_from_slice(&closed);
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use p256::ecdsa::signature::Verifier;

    fn key(text: &str) -> SecretKey {
        SecretKey::from_slice(&BASE64.decode(text).unwrap()).unwrap()
    }

    /// The worked example in appendix A of RFC 8291.
    #[test]
    fn the_example_of_the_standard_holds() {
        let browser = Subscription {
            endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV".into(),
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
                .into(),
            auth: "BTBZMqHH6r4Tts7J_aSIgg".into(),
        };
        assert_eq!(browser.check(false), Ok(()));
        let own = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let salt = BASE64.decode("DGv6ra1nlYgDCS1FRnbzlw").unwrap().try_into().unwrap();
        let body = sealed(&browser, &own, &salt, b"When I grow up, I want to be a watermelon").unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64.encode(body), expected);
    }

    #[test]
    fn the_sender_signs() {
        let keys = Keys::read(&Keys::fresh()).unwrap();
        let header = keys.vapid("https://push.example.net", "https://table.example", 1_700_000_000);
        let token = header.strip_prefix("vapid t=").unwrap().split(',').next().unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = Signature::from_slice(&BASE64.decode(signature).unwrap()).unwrap();
        let public = SigningKey::from(&keys.0);
        public.verifying_key().verify(signed.as_bytes(), &signature).unwrap();
        let claims = BASE64.decode(signed.split('.').nth(1).unwrap()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(claims["aud"], "https://push.example.net");
        assert_eq!(claims["exp"], 1_700_043_200);
        assert!(header.ends_with(&keys.public()));
    }

    #[test]
    fn wrong_keys_of_a_browser_are_refused() {
        let right = Subscription {
            endpoint: "https://push.example.net/x".into(),
            p256dh: BASE64.encode(fresh().public_key().to_sec1_bytes()),
            auth: BASE64.encode([7; 16]),
        };
        assert_eq!(right.check(false), Ok(()));
        let wrong = [
            Subscription { p256dh: BASE64.encode([4; 65]), ..right.clone() },
            Subscription { p256dh: "?".into(), ..right.clone() },
            Subscription { auth: BASE64.encode([7; 15]), ..right.clone() },
            Subscription { auth: "x".repeat(300), ..right.clone() },
            Subscription { endpoint: "http://push.example.net/x".into(), ..right.clone() },
            Subscription { endpoint: "https://127.0.0.1/x".into(), ..right },
        ];
        for browser in wrong {
            assert!(browser.check(false).is_err(), "{browser:?}");
        }
    }
}
