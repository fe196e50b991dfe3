import { readFileSync } from 'node:fs'

/** Where the service is now: it may have come back on another port, and then says so in a file. */
export function serviceAddress(given: string, file: string | undefined): () => string {
  return () => (file && readIfThere(file)?.trim()) || given
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
