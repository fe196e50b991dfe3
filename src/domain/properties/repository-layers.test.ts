import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repositoryLayers } from './repository-layers.ts'

const files = [
  'web/defaults.yaml',
  'web/other.yaml',
  'web/sub/defaults.yaml',
  'db/defaults.json',
  '.sluice/properties/b.yml',
  '.sluice/properties/B.json',
  '.sluice/properties/a.toml',
  '.sluice/properties/readme.md',
  '.sluice/properties/.hidden.yaml',
  '.sluice/properties/projects/bank/._own.json',
  'web/.defaults.yaml',
  '.sluice/properties/deeper/a.json',
  '.sluice/properties/projects/all.JSON',
  '.sluice/properties/projects/bank/own.json',
  '.sluice/properties/projects/bank/assets/agentless.json',
  '.sluice/properties/projects/bank/assets/web/one.json',
  '.sluice/properties/projects/bank/agents/bot/one.json',
  '.sluice/properties/projects/bank/environments/all.json',
  '.sluice/properties/projects/bank/environments/live/own.json',
  '.sluice/properties/projects/bank/environments/live/assets/all.json',
  '.sluice/properties/projects/bank/environments/live/assets/web/own.json',
  '.sluice/properties/projects/bank/environments/test/own.json',
  '.sluice/properties/projects/banking/own.json',
  '.sluice/properties/templates/web/own.json',
  '.sluice/properties/templates/db/own.json',
].toReversed()

const below = (path: string, templateCode: string | null) =>
  repositoryLayers(files, { path, templateCode, repoFolder: '.sluice' }).map(file =>
    file.replace('.sluice/properties/', ''),
  )

test('the files of an asset beneath an environment, least specific first, bytewise within a folder', () => {
  assert.deepEqual(below('/projects/bank/environments/live/assets/web', 'web'), [
    'web/defaults.yaml',
    'B.json',
    'a.toml',
    'b.yml',
    'projects/all.JSON',
    'projects/bank/own.json',
    'projects/bank/environments/all.json',
    'projects/bank/environments/live/own.json',
    'templates/web/own.json',
    'projects/bank/environments/live/assets/all.json',
    'projects/bank/environments/live/assets/web/own.json',
  ])
})

test('an asset of the project itself has no environment’s files, and an agent its own folder', () => {
  assert.deepEqual(below('/projects/bank/assets/web', 'db').slice(-3), [
    'templates/db/own.json',
    'projects/bank/assets/agentless.json',
    'projects/bank/assets/web/one.json',
  ])
  assert.deepEqual(below('/projects/bank/agents/bot', 'bot').slice(-2), [
    'projects/bank/own.json',
    'projects/bank/agents/bot/one.json',
  ])
})

test('a change on an environment or a project has no template’s files', () => {
  assert.deepEqual(below('/projects/bank/environments/test', null), [
    'B.json',
    'a.toml',
    'b.yml',
    'projects/all.JSON',
    'projects/bank/own.json',
    'projects/bank/environments/all.json',
    'projects/bank/environments/test/own.json',
  ])
  assert.deepEqual(below('/projects/bank', null).at(-1), 'projects/bank/own.json')
})

test('another repo_folder is another place for all but the template’s defaults', () => {
  const layers = repositoryLayers(['web/defaults.toml', '.sluice/properties/a.json', 'ops/x/properties/a.json'], {
    path: '/projects/bank/assets/web',
    templateCode: 'web',
    repoFolder: 'ops/x',
  })
  assert.deepEqual(layers, ['web/defaults.toml', 'ops/x/properties/a.json'])
})
