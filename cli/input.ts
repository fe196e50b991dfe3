import { readFileSync } from 'node:fs'
import { readDocument } from './read-document.ts'
import { WrongUsage } from './wrong-usage.ts'

/** What begins with / or has no = says where; the rest are attributes. */
export function sorted(words: readonly string[]): { where: string[]; given: string[] } {
  const isGiven = (word: string) => !word.startsWith('/') && word.includes('=')
  return { where: words.filter(word => !isGiven(word)), given: words.filter(isGiven) }
}

/** `-` is standard input. */
export function readInput(name: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(name === '-' ? 0 : name)
  } catch (error) {
    throw new WrongUsage(
      `${name} cannot be read: ${(error as Error).message}. A text that begins with @ is written @@…`,
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongUsage(`${name} is not UTF-8: save it as UTF-8.`)
  }
}

/** Attributes in YAML or JSON. */
export function fromFile(name?: string): Record<string, unknown> {
  if (name === undefined) return {}
  let value: unknown
  try {
    value = readDocument(readInput(name))
  } catch (error) {
    if (error instanceof WrongUsage) throw error
    throw new WrongUsage(`${name} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongUsage(`${name} should hold attributes: name: value`)
  return value as Record<string, unknown>
}
