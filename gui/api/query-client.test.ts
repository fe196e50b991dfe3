import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import { CurrentQueryClient } from './query-client.ts'

test('a query that is invalidated during its first read is read once more, and shows the second answer', async () => {
  const client = new CurrentQueryClient()
  const answers: ((value: string) => void)[] = []
  const queryFn = () => new Promise<string>(resolve => answers.push(resolve))
  const observer = new QueryObserver(client, { queryKey: ['list'], queryFn, retry: false })
  const stop = observer.subscribe(() => {})
  const read = client.invalidateQueries({ queryKey: ['list'] })
  assert.equal(answers.length, 1)
  answers[0]!('old')
  while (answers.length < 2) await new Promise(resolve => setImmediate(resolve))
  answers[1]!('new')
  await read
  assert.equal(observer.getCurrentResult().data, 'new')
  stop()
  client.clear()
})
