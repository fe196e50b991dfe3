import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitWords } from './exit-code.ts'

test('exit codes that are mostly misread are told with what they mean, and others as they are', () => {
  for (const code of [2, 3, 7, 125, 128, 130, 255]) assert.equal(exitWords(code, 'true'), `exit code ${code}`)
  assert.match(exitWords(126), /^exit code 126: .*could not be executed.*chmod \+x/)
  assert.match(exitWords(127), /^exit code 127: a command was not found/)
  assert.match(exitWords(137), /^exit code 137: .*SIGKILL.*memory/)
  assert.match(exitWords(141), /^exit code 141: .*SIGPIPE.*pipefail/)
})

const withOwnRead = [
  'read answer',
  'echo "Really?"\nread -r -p "y/n " answer',
  'if true; then read x; fi',
  'echo a && read x',
  'IFS=, read a b',
  '  { read x; }',
]
const without = [
  'false',
  'while read line; do false; done < list',
  'read x < file',
  'read x <<< "$y"',
  'echo a | read x',
  'readonly x=1; false',
  'readlink -f x',
  'cat read me',
  '# read the manual\nfalse',
]

test('a script that reads from the input that a step does not have is told so', () => {
  for (const script of withOwnRead) assert.match(exitWords(1, script), /^exit code 1: .*"read".*no input/, script)
  for (const script of without) assert.equal(exitWords(1, script), 'exit code 1', script)
  assert.equal(exitWords(2, 'read x'), 'exit code 2')
  assert.equal(exitWords(1), 'exit code 1')
})
