import { createInterface } from 'node:readline/promises'
import { WrongUsage } from './wrong-usage.ts'

/** Thrown when the user presses Ctrl-C at a prompt. */
export class Interrupted extends Error {}

/** Prompts on the terminal, or reads the next line of standard input if it is not a terminal. */
export async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return nextLine()
  const lines = createInterface({ input: stdin, output: stderr })
  // Both Ctrl-C and Ctrl-D cancel the prompt.
  const cancelled = new AbortController()
  lines.once('SIGINT', () => cancelled.abort())
  lines.once('close', () => cancelled.abort())
  try {
    return await lines.question(question, { signal: cancelled.signal })
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Interrupted() : error
  } finally {
    lines.close()
  }
}

/** Prompts for a secret without echoing the input. */
export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return nextLine()
  // Raw mode starts before the prompt is printed, so that input typed ahead is not echoed either.
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stderr.write(question)
  try {
    return await typedLine()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** Reads keys from a terminal in raw mode until Enter. */
function typedLine(): Promise<string> {
  const { stdin } = process
  let line = ''
  return new Promise((resolve, reject) => {
    const end = (how: () => void) => {
      stdin.off('data', onData).off('end', onEnd)
      how()
    }
    const onEnd = () => end(() => reject(new Interrupted()))
    const onData = (keys: string) => {
      for (const key of keys) {
        if (key === '\r' || key === '\n') return end(() => resolve(line))
        if (key === '\x03' || key === '\x04') return onEnd()
        if (key === '\x15') line = ''
        else if (key === '\x7f' || key === '\b') line = [...line].slice(0, -1).join('')
        else if (key >= ' ') line += key
      }
    }
    stdin.on('data', onData).once('end', onEnd).resume()
  })
}

let waiting: string[] | undefined

/** Reads piped standard input once and returns it line by line. */
async function nextLine(): Promise<string> {
  if (!waiting) {
    let text = ''
    for await (const piece of process.stdin.setEncoding('utf8')) text += piece
    waiting = text.split(/\r?\n/)
  }
  const line = waiting.shift()
  if (line === undefined || (line === '' && waiting.length === 0))
    throw new WrongUsage('Standard input is not a terminal and has no more lines to answer the prompt.')
  return line
}
