import { jsonPlace } from './json-place.ts'
import { fitting, type JsonSchema, keysIn, schemaAt, valuesOf } from './json-schema.ts'
import type { Language, Offer, Place } from './place.ts'
import { yamlPlace } from './yaml-place.ts'

/** Offers of the completion: a JSON Schema of the document, words that fit anywhere, or both. */
export interface CompletionSource {
  readonly schema?: JsonSchema
  readonly words?: readonly (string | Offer)[]
}

interface Context {
  readonly pos: number
  readonly explicit: boolean
  readonly state: { readonly doc: { toString(): string } }
}

interface Completions {
  readonly from: number
  readonly options: readonly Offer[]
  readonly validFor: RegExp
}

/** Completions at the cursor; null if there is nothing to offer, or nothing was typed and nothing asked for. */
export function complete(
  source: CompletionSource,
  language: Language,
  { pos, explicit, state }: Context,
): Completions | null {
  const text = state.doc.toString()
  const place = language === 'yaml' ? yamlPlace(text, pos) : jsonPlace(text, pos)
  if (!place || (!explicit && place.from === pos)) return null
  const options = offersAt(source, language, place)
  return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w.$/-]*$/ }
}

/** Offers for a place in the document: names of properties, or values. */
function offersAt({ schema, words = [] }: CompletionSource, language: Language, place: Place): Offer[] {
  const target = schema && fitting(schemaAt(schema, place.path), place.siblings)
  const keys = target && place.expects !== 'value' ? keysIn(target, schema) : []
  const values = target && place.expects !== 'key' ? valuesOf(target) : []
  return [
    ...keys
      .filter(({ label }) => !place.siblings.includes(label))
      .map(offer => ({ ...offer, ...keyText(offer.label, language, place) })),
    ...values.map(offer => ({ ...offer, ...valueText(offer, language, place) })),
    ...words.map(word => (typeof word === 'string' ? { label: word } : word)),
  ]
}

const keyText = (key: string, language: Language, { isQuoted }: Place) =>
  language === 'yaml' ? { apply: `${key}: ` } : isQuoted ? {} : { apply: `${JSON.stringify(key)}: ` }

/** JSON needs quotes around a text; inside of quotes the cursor already is between them. */
const valueText = ({ label, type }: Offer, language: Language, { isQuoted }: Place) =>
  language === 'json' && !isQuoted && type === 'text' ? { apply: JSON.stringify(label) } : {}
