import { shortestSecret } from '#authoring/shortest-secret.ts'
import { isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { hidden } from '../settings/index.ts'

/** Maximum length of the JSON of the input properties in an event. */
const most = 65_536

/**
 * Converged properties for an event, with secrets hidden: values under a name that suggests one, texts in the form of a
 * credential, and the same texts elsewhere in the document. References to secrets are shown. Undefined if it is too
 * large for an event.
 */
export function hiddenProperties(properties: JsonObject): JsonObject | undefined {
  const secrets = new Set<string>()
  collect(properties, false, secrets)
  const long = [...secrets].filter(({ length }) => length >= shortestSecret)
  const shown = withoutSecrets(properties, false, text => secrets.has(text) || long.some(each => text.includes(each)))
  return JSON.stringify(shown).length <= most ? (shown as JsonObject) : undefined
}

function collect(value: Json, named: boolean, secrets: Set<string>): void {
  if (typeof value === 'string') {
    if (isSecret(value, named)) secrets.add(value)
  } else if (Array.isArray(value)) for (const each of value) collect(each, named, secrets)
  else if (isObject(value))
    for (const [name, each] of Object.entries(value)) collect(each, named || isSecretName(name), secrets)
}

function withoutSecrets(value: Json, named: boolean, isKnown: (text: string) => boolean): Json {
  if (typeof value === 'string') return isSecret(value, named) || isKnown(value) ? hidden : value
  if (typeof value === 'number') return named ? hidden : value
  if (Array.isArray(value)) return value.map(each => withoutSecrets(each, named, isKnown))
  if (!isObject(value)) return value
  return objectOf(
    Object.entries(value).map(([name, each]) => [
      isKnown(name) ? hidden : name,
      withoutSecrets(each, named || isSecretName(name), isKnown),
    ]),
  )
}

const isSecret = (text: string, named: boolean): boolean =>
  text !== '' && !text.startsWith('secret://') && (named || credential.test(text))

/** Private keys, URLs with a password, bearer tokens, and tokens of well-known services. */
const credential =
  /-----BEGIN [A-Z ]*PRIVATE KEY|[a-z]:\/\/[^/\s:@]*:[^/\s@]+@|\b(bearer|basic) [\w.~+/-]{8}|\b(gh[opsu]_|glpat-|xox[abp]-|AKIA|eyJ)[\w-]{10}|\b(password|passwd|pwd)=\S/i

const secretWords =
  /(^|_)(pass|pw|pwd|pin|psk|salt|dsn|otp)(_|$)|passwor[dt]|passwd|passphrase|passcode|secret|token|credential|bearer|connection_string|(private|api|access|encryption|signing|ssh|shared|master|root|license|tls|ssl|hmac|auth)_?keys?(_|$)/

/** `dbPassword`, `db-password` and `DB_PASSWORD` are the same name. */
function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_')
  return secretWords.test(words.toLowerCase())
}
