import { readFileSync } from 'node:fs'
import { readDocument } from './read-document.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Separates paths and path values (a leading /, or no =) from attributes. */
export function sorted(words: readonly string[]): { where: string[]; given: string[] } {
  const isGiven = (word: string) => !word.startsWith('/') && word.includes('=')
  return { where: words.filter(word => !isGiven(word)), given: words.filter(isGiven) }
}

/** Reads a UTF-8 file; `-` is standard input. */
export function readInput(name: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(name === '-' ? 0 : name)
  } catch (error) {
    throw new WrongUsage(
      `Cannot read ${name}: ${(error as Error).message}. If the value itself starts with @, write @@…`,
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongUsage(`${name} is not valid UTF-8.`)
  }
}

/** Reads attributes from a YAML or JSON file. */
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
    throw new WrongUsage(`${name} should contain a mapping of attributes, for example name: value`)
  return value as Record<string, unknown>
}
