import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActionCatalogue, findAction } from '#authoring/actions/action.ts'
import { actionObjects } from '#authoring/actions/action-tree.ts'
import { readActionsFile } from '#authoring/actions/actions-file.ts'
import { readActionsOfModel, readModelActions, withModelActions } from './model-actions.ts'

const file = readActionsFile(
  'web/actions.yaml',
  Buffer.from(
    'actions:\n  stop: { description: Stops it, run: "true" }\n  Deploy: { description: The file\'s, steps: [stop] }\n',
  ),
) as ActionCatalogue

test("a model's actions have the form of an actions.yaml, as an object or as a list, and may name the file's", () => {
  const entry = { description: 'All hosts', steps: ['stop', 'host_a'] }
  const host = { description: 'One host', run: 'true' }
  const object = readModelActions({ all: entry, host_a: host }, file)
  const list = readModelActions(
    [
      { action: 'all', ...entry },
      { action: 'host_a', ...host },
    ],
    file,
  )
  assert.deepEqual(object, list)
  assert.ok('actions' in object)
  const names = actionObjects(withModelActions(file, object)).map(each => (each as { action: string }).action)
  assert.deepEqual(names, ['stop', 'Deploy', 'all', 'host_a'])
})

test("an action of the actions file wins over the model's of the same name, also for what names it", () => {
  const model = readModelActions(
    { DEPLOY: { description: "the model's", run: 'false' }, again: { description: 'Again', steps: ['deploy'] } },
    file,
  )
  assert.ok('actions' in model)
  assert.deepEqual(
    model.actions.map(({ action }) => action),
    ['again'],
  )
  assert.equal(findAction(withModelActions(file, model), 'deploy')!.description, "The file's")
})

test('what is wrong is told with the action that it is in', () => {
  const faults = (actions: object) => (readModelActions(actions as never, file) as { faults: string[] }).faults
  assert.deepEqual(faults({ a: { run: 'true' }, b: { steps: ['nobody'] } }), [
    'Action "b": There is no action "nobody".',
  ])
  assert.match(faults({ a: { run: 'true' }, b: { rum: 'true' } })[0]!, /^Action "b": Unknown key "rum"/)
  assert.match(faults({ a: { steps: ['b'] }, b: { steps: ['a'] } })[0]!, /^Action "b": This goes round in a circle/)
  assert.deepEqual(faults([{ action: 'a', run: 'true' }, { action: 'a', run: 'true' }, 3]), [
    'There is an action "a" already.',
    'Number 3 of "actions" is no object with its name as "action".',
  ])
  assert.deepEqual(readModelActions('no', file), {
    faults: ['"actions" holds actions, each under its name, or a list of them.'],
  })
  assert.deepEqual(readModelActions([], file), { actions: [] })
})

test('a large model is read where it holds nobody up, and comes to the same', async t => {
  const named = Array.from({ length: 2_000 }, (_, index) => [`host ${index}`, { description: 'One host', run: 'true' }])
  const actions = Object.fromEntries(named)
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  t.after(() => clearInterval(counting))
  const read = await readActionsOfModel(JSON.stringify({ actions, title: 'All hosts' }), file)
  assert.deepEqual(read, readModelActions(actions, file))
  assert.ok(turns > 0)
  assert.deepEqual(await readActionsOfModel('{"actions":3}', file), readModelActions(3, file))
})
