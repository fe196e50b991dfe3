/** Exit codes that are mostly misread: what they say of a script. */
const known: Readonly<Record<number, string>> = {
  126: 'a file was found but could not be executed: it lacks the permission (chmod +x), or is no program for this machine',
  127: 'a command was not found: it is misspelt, not installed here, or not in PATH',
  137: 'a process was ended by SIGKILL (128 + 9): mostly because the memory was used up',
  141: 'a process was ended by SIGPIPE (128 + 13): it wrote into a pipe whose reader had ended, as in "… | head"; with pipefail that fails the whole pipe',
}

const nothingToRead =
  'the script has a "read", which fails at the end of its input, and a step has no input unless it is redirected'

/**
 * Why a script ended with a code other than 0, in words.
 *
 * @param script its text, where there is one
 */
export function exitWords(code: number | null, script?: string): string {
  const what = `exit code ${code}`
  const clause = code === 1 && script !== undefined && reads(script) ? nothingToRead : known[code ?? 0]
  return clause === undefined ? what : `${what}: ${clause}`
}

/**
 * Whether some command of a script is `read` with the step's own input. The input of a loop may end, and a command
 * behind a pipe or before a redirection has an input.
 */
function reads(script: string): boolean {
  return script.split('\n').some(line => !/^\s*#/.test(line) && ownRead.test(line) && !/<|\|\s*read\b/.test(line))
}

const ownRead = /(?:^|[;{(]|&&|\|\||\bthen|\belse|\bdo)\s*(?:IFS=\S*\s+)?read(?:\s|;|$)/
