import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestFile } from '../../../tests/support/git-repository.ts'
import { templateWorld } from '../../../tests/support/template-world.ts'
import { rightsFrom } from '../access/rights.sql.ts'

const world = await templateWorld({ admin: rightsFrom({ superuser: true, blocked: false, rules: [] }) })
after(() => world.stop())
const { admin, runJobs } = world

const properties = '.sluice/properties'
const actions = 'actions:\n  deploy: { run: ./deploy }\n'

/** The state of a version whose commit has these files, each on a branch of its own. */
async function statesOf(code: string, trees: Readonly<Record<string, Record<string, TestFile>>>) {
  const repository = await world.repository({ [`${code}/actions.yaml`]: actions })
  const made = await admin.post('/api/projects/shop/templates', {
    code,
    name: code,
    template_type: 'asset',
    git_remote_name: repository.remote,
  })
  const self = made.body.data.links.self as string
  const main = repository.git('rev-parse', 'main')
  const states: Record<string, string> = {}
  for (const [name, files] of Object.entries(trees)) {
    const withCommit = Object.entries(files).map(([path, file]): [string, TestFile] => [
      path,
      typeof file === 'object' && 'submodule' in file ? { submodule: main } : file,
    ])
    repository.commit(Object.fromEntries(withCommit), { branch: name })
    await admin.put(`${self}/versions/${name}`, { git_rev: name })
  }
  await runJobs()
  for (const name of Object.keys(trees)) {
    const { state, initialization_error } = (await admin.get(`${self}/versions/${name}`)).body.data.attributes
    states[name] = initialization_error ?? state
  }
  return states
}

const submodule = { submodule: '' }

test('a link or a submodule in the place of configuration is refused by name, wherever it stands', async () => {
  const file = (path: string, kind: string) =>
    `${path}:1:1: This is a ${kind}; property files must be files. Commit the files in its place.`
  const folder = (path: string, kind: string, whole = path) =>
    `${path}:1:1: This is a ${kind}; "${whole}" must be a folder. Commit the folder in its place.`
  const given: Record<string, [files: Record<string, TestFile>, expected: string]> = {
    folder: [
      { [`${properties}/projects`]: { link: '../../kept' }, 'kept/shop/a.yaml': 'a: 1' },
      file(`${properties}/projects`, 'symbolic link'),
    ],
    outside: [
      { [`${properties}/projects/shop`]: { link: '/etc' } },
      file(`${properties}/projects/shop`, 'symbolic link'),
    ],
    loop: [
      { [`${properties}/projects`]: { link: '.' }, [`${properties}/a.yaml`]: 'a: 1' },
      file(`${properties}/projects`, 'symbolic link'),
    ],
    file: [{ [`${properties}/a.yaml`]: { link: 'b.txt' } }, file(`${properties}/a.yaml`, 'symbolic link')],
    dangling: [
      { [`${properties}/templates/web`]: { link: 'nowhere' } },
      file(`${properties}/templates/web`, 'symbolic link'),
    ],
    top: [
      { '.sluice': { link: 'conf' }, 'conf/properties/a.yaml': 'a: 1' },
      folder('.sluice', 'symbolic link', properties),
    ],
    root: [{ [properties]: { link: '../conf' }, 'conf/a.yaml': 'a: 1' }, folder(properties, 'symbolic link')],
    'sub-folder': [{ [`${properties}/projects/shop`]: submodule }, file(`${properties}/projects/shop`, 'submodule')],
    'sub-top': [{ '.sluice': submodule }, folder('.sluice', 'submodule', properties)],
    'sub-root': [{ [properties]: submodule }, file(properties, 'submodule')],
    'root-file': [{ [properties]: 'a: 1' }, folder(properties, 'file')],
    defaults: [
      { 'web/defaults.yaml': { link: '../d.yaml' }, 'd.yaml': 'a: 1' },
      file('web/defaults.yaml', 'symbolic link'),
    ],
    model: [
      { 'web/model.json.erb': { link: '../m' }, m: '{"actions": {}}' },
      'web/model.json.erb:1:1: The model file must be a file, not a link.',
    ],
  }
  const trees = Object.fromEntries(
    Object.entries(given).map(([name, [files]]) => [name, { 'web/actions.yaml': actions, ...files }]),
  )
  const expected = Object.fromEntries(Object.entries(given).map(([name, [, error]]) => [name, error]))
  assert.deepEqual(
    await statesOf('web', { ...trees, code: { web: { link: 'other' }, 'other/actions.yaml': actions } }),
    {
      ...expected,
      code: folder('web', 'symbolic link'),
    },
  )
})

test('a file that is called a little otherwise is told, and what says nothing or is hidden breaks nothing', async () => {
  const yaml = { 'app/actions.yaml': actions }
  const states = await statesOf('app', {
    yml: { 'app/actions.yml': actions },
    both: { ...yaml, 'app/Actions.YAML': actions },
    'model-name': { ...yaml, 'app/Model.json.erb': '{}' },
    defaults: { ...yaml, 'app/Defaults.yml': 'a: 1' },
    nothing: {
      ...yaml,
      [`${properties}/a.yaml`]: '---\n# vars of all\n',
      [`${properties}/b.yaml`]: '~',
      [`${properties}/c.json`]: 'null',
      [`${properties}/d.toml`]: '# nothing',
    },
    hidden: {
      ...yaml,
      [`${properties}/._a.yaml`]: '\0\u0005\u0016\u0007',
      [`${properties}/.hidden.yaml`]: 'a: {',
      [`${properties}/.idea/x.yaml`]: 'a: {',
      [`${properties}/.here`]: { link: '/etc' },
    },
    lfs: { ...yaml, [`${properties}/a.json`]: 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n' },
    program: { 'app/actions.ts': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n' },
    upper: { ...yaml, [`${properties}/x.YAML`]: 'a: {' },
  })
  assert.match(states['upper']!, /^\.sluice\/properties\/x\.YAML:1:\d: /)
  const pointer =
    'This is a Git LFS pointer, not the file itself: take the file out of LFS (git lfs untrack) and commit it.'
  assert.deepEqual(
    { ...states, upper: '' },
    {
      yml: 'app/actions.yml:1:1: Call this file "actions.yaml".',
      both: 'app/Actions.YAML:1:1: Call this file "actions.yaml".',
      'model-name': 'app/Model.json.erb:1:1: Call this file "model.json.erb".',
      defaults: 'app/Defaults.yml:1:1: Call this file "defaults.yml".',
      nothing: 'ready',
      hidden: 'ready',
      lfs: `${properties}/a.json:1:1: ${pointer}`,
      program: `app/actions.ts:1:1: ${pointer}`,
      upper: '',
    },
  )
})
