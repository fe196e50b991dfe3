import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { names } from '../../gui/gallery/names.ts'
import { projectFolder } from '../support/database-server.ts'

test('every component of the web application has a page in the gallery', () => {
  const files = globSync('*/*.tsx', { cwd: join(projectFolder, 'gui/components') })
  const components = [...new Set(files.map(file => file.split('/')[0]!))]
  assert.ok(components.length > 20)
  const known: readonly string[] = names
  assert.deepEqual(
    components.filter(component => !known.includes(component)),
    [],
    'components without a page in gui/gallery/pages.ts',
  )
})
