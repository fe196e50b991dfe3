import { createInterface } from 'node:readline/promises'
import { WrongUsage } from './wrong-usage.ts'

/** Ctrl-C at a question. */
export class Interrupted extends Error {}

/** Asks on the terminal, or takes the next line of standard input. */
export async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return nextLine()
  const lines = createInterface({ input: stdin, output: stderr })
  // Ctrl-C and Ctrl-D both mean: no answer.
  const left = new AbortController()
  lines.once('SIGINT', () => left.abort())
  lines.once('close', () => left.abort())
  try {
    return await lines.question(question, { signal: left.signal })
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? new Interrupted() : error
  } finally {
    lines.close()
  }
}

/** Asks for what nobody should see: nothing of it is shown. */
export async function askSecretly(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return nextLine()
  // Before anything is shown: who types ahead is not shown either.
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

/** Keys until Enter, as a terminal in raw mode sends them. */
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

/** What comes in a pipe is read once, and handed out line by line. */
async function nextLine(): Promise<string> {
  if (!waiting) {
    let text = ''
    for await (const piece of process.stdin.setEncoding('utf8')) text += piece
    waiting = text.split(/\r?\n/)
  }
  const line = waiting.shift()
  if (line === undefined || (line === '' && waiting.length === 0))
    throw new WrongUsage('Standard input is no terminal, and holds no answer.')
  return line
}
