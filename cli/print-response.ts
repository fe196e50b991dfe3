import { once } from 'node:events'
import { fromJson } from '../json/from-json.ts'
import { documentText } from './output.ts'
import { plainText } from './plain-text.ts'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Prints a response: JSON in the output format, anything else byte for byte. */
export async function printResponse({ format, screen }: Terminal, answer: Response): Promise<void> {
  const type = answer.headers.get('content-type') ?? ''
  if (/\bjson\b/.test(type)) {
    const text = await answer.text()
    if (text !== '') await write(documentText(fromJson(text), format === 'yaml' ? 'yaml' : 'json'))
    return
  }
  const isText = type.startsWith('text/') || type.startsWith('application/x-ndjson')
  if (screen.isTerminal && !isText)
    throw new WrongUsage(`The response is ${type || 'of unknown type'}, not text. Redirect it to a file: … > file`)
  const text = new TextDecoder()
  for await (const bytes of answer.body ?? [])
    await write(screen.isTerminal ? plainText(text.decode(bytes, { stream: true })) : bytes)
}

/** Writes with backpressure, so that a large response is not buffered in memory. */
async function write(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
