import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testBrowser } from './browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-browser-'))
after(() => rmSync(folder, { recursive: true }))

/** Folder with a program of this name. */
function folderWith(name: string, mode = 0o755): string {
  const made = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(made, name), '#!/bin/sh\n', { mode })
  return made
}

const fails = async () => {
  throw new Error('It is missing. As root on Debian 12: apt-get install chromium-headless-shell')
}

test('the browser is the one that is named, and a name without a program is an error that says so', async () => {
  const named = join(folderWith('my-browser'), 'my-browser')
  assert.equal(await testBrowser({ SLUICE_TEST_CHROMIUM: named, PATH: folderWith('chromium') }, fails), named)
  const missing = join(folder, 'nothing')
  await assert.rejects(testBrowser({ SLUICE_TEST_CHROMIUM: missing, PATH: folderWith('chromium') }, fails), error => {
    assert.match((error as Error).message, /SLUICE_TEST_CHROMIUM should be the path .* There is no program .*nothing\./)
    return true
  })
})

test('without a name, Chromium and Chrome are found on the PATH, and nothing is installed', async () => {
  const chrome = folderWith('google-chrome')
  assert.equal(await testBrowser({ PATH: `/nowhere::${chrome}` }, fails), join(chrome, 'google-chrome'))
  const chromium = folderWith('chromium')
  assert.equal(await testBrowser({ PATH: `${chrome}:${chromium}` }, fails), join(chromium, 'chromium'))
  const shell = folderWith('chromium-headless-shell')
  assert.equal(await testBrowser({ PATH: `${chromium}:${shell}` }, fails), join(shell, 'chromium-headless-shell'))
})

test('a folder and a file that cannot be executed are no browser', async () => {
  mkdirSync(join(folder, 'chromium'))
  const path = [folder, folderWith('chromium', 0o644)].join(':')
  assert.equal(await testBrowser({ PATH: path }, async () => '/installed/chromium'), '/installed/chromium')
})

test('where none is and none can be installed, the error says what to do', async () => {
  await assert.rejects(testBrowser({ PATH: '' }, fails), error => {
    const { message } = error as Error
    assert.match(
      message,
      /apt-get install chromium-headless-shell\. .* on the PATH, or named by SLUICE_TEST_CHROMIUM\.$/,
    )
    return true
  })
})
