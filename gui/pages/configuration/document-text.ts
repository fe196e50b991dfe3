import type { Language } from '../../components/editor/place.ts'
import type { Data, ReadDocument } from './data.ts'

/** Text of a document in a language. The code for YAML is loaded when it is needed. */
export async function documentText(data: Data, language: Language): Promise<string> {
  if (language === 'json') return `${JSON.stringify(data, null, 2)}\n`
  if (Object.keys(data).length === 0) return ''
  const { stringify } = await import('yaml')
  return stringify(data, { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })
}

/** Document in a text, read by the rules of the service, or the problems with their places. */
export async function readDocument(text: string, language: Language): Promise<ReadDocument> {
  const { readText } = await import('./read-text.ts')
  return readText(text, language)
}
