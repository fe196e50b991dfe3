import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Listed } from '#platform/jsonapi/read.ts'
import { asTheyMoved } from './live-step-order.sql.ts'

const step = (full_path: string, tree_order: string, moment: number, ended: boolean): Listed =>
  ({
    row: { updated_at: `2026-11-26T16:00:00.00000${moment}Z`, tree_order },
    shown: { attributes: { full_path, finished_at: ended ? 'then' : null } },
  }) as unknown as Listed

const told = (...steps: Listed[]) => asTheyMoved.sorted(steps).map(({ shown }) => shown.attributes['full_path'])

test('steps are told as they moved, of one moment ends before beginnings', () => {
  assert.deepEqual(
    told(step('all/second', '02', 1, false), step('all/first', '01', 1, true), step('all', '00', 0, false)),
    ['all', 'all/first', 'all/second'],
  )
})

test('a parent ends behind its children, also where its row was stamped before theirs', () => {
  assert.deepEqual(
    told(
      step('all', '00', 1, true),
      step('all/third', '03', 2, true),
      step('all/deep', '01', 1, true),
      step('all/deep/one', '02', 3, true),
    ),
    ['all/third', 'all/deep/one', 'all/deep', 'all'],
  )
})
