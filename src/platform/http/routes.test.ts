import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyCommand, command, done } from '../commands/command.ts'
import { routesOf } from './routes.ts'

const sail = (change: Partial<AnyCommand> = {}): AnyCommand => ({
  ...command({
    name: 'boats.sail',
    summary: 'Sails.',
    method: 'POST',
    paths: ['/api/boats/:id/sail'],
    status: 204,
    event: 'api:boats:sail',
    eventBody: [],
    find: async () => ({}),
    needs: () => [],
    run: async () => done({ event: {} }),
  }),
  ...change,
})
const starting = (...commands: AnyCommand[]) => routesOf([{ name: 'boats', commands }], [])

test('a route without rights is an error at start', () => {
  assert.equal(starting(sail()).length, 1)
  assert.throws(() => starting(sail({ needs: undefined as never })), /boats\.sail .* says nothing about rights/)
})

test('two routes of one method and form, or of one name, are an error at start', () => {
  assert.throws(() => starting(sail(), sail({ name: 'x', paths: ['/api/boats/:boat/sail'] })), /are both POST/)
  assert.throws(() => starting(sail(), sail({ paths: ['/api/rafts/:id/sail'] })), /two routes are called boats\.sail/)
})

test('an answer of a type that there is not is an error at start', () => {
  assert.throws(() => starting(sail({ answers: 'boat' })), /answers a boat, and there is no such resource/)
})
