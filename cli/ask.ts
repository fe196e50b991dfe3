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
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  let answer = ''
  try {
    for await (const piece of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      for (const key of piece) {
        if (key === '\r' || key === '\n' || key === '\x04') return answer
        if (key === '\x03') throw new Interrupted()
        if (key === '\x15') answer = ''
        else if (key === '\x7f' || key === '\b') answer = [...answer].slice(0, -1).join('')
        else if (key >= ' ') answer += key
      }
    }
    return answer
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
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
