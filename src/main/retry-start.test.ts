import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throughOutages } from './retry-start.ts'

const startingUp = () => Object.assign(new Error('the database system is starting up'), { code: '57P03' })

function failing(...errors: Error[]) {
  const said: string[] = []
  const left = [...errors]
  const start = async () => {
    const error = left.shift()
    if (error) throw error
    return 'started'
  }
  return { said, left, answer: throughOutages(start, { tries: 3, pauseMilliseconds: 1, log: line => said.push(line) }) }
}

test('a start under which the database goes away begins again, and says so', async () => {
  const { said, answer } = failing(startingUp(), startingUp())
  assert.equal(await answer, 'started')
  const line = 'The database went away during the start (the database system is starting up); starting again.'
  assert.deepEqual(said, [line, line])
})

test('a database that stays away ends the start with its own words', async () => {
  const { left, answer } = failing(startingUp(), startingUp(), startingUp(), startingUp())
  await assert.rejects(answer, startingUp())
  assert.equal(left.length, 1)
})

test('what is wrong with anything else ends the start at once', async () => {
  const { said, left, answer } = failing(new Error('the port is taken'), startingUp())
  await assert.rejects(answer, new Error('the port is taken'))
  assert.deepEqual([said, left.length], [[], 1])
})
