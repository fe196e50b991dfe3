import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { compiledCode } from '../../tests/support/compiled-code.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

const program = `'${process.execPath}' '${join(import.meta.dirname, '../../cli/sluice.ts')}'`

/** Commands that the page offers, read from its dialog. */
async function offered(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'As a command' }).click()
  const dialog = page.getByRole('dialog', { name: 'As a command' })
  const commands = await dialog.locator('code').allTextContents()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return commands
}

/** Runs a command of a page as its user would, and returns what it prints. */
async function printed(command: string, url: string, token: string): Promise<string> {
  const line = command.replace(/^sluice /, `${program} `)
  const env = { ...process.env, SLUICE_URL: url, SLUICE_TOKEN: token, NO_COLOR: '1', ...compiledCode }
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env })
  return stdout
}

test('the commands of each page show on the command line what it shows', async ({ page, open, bank }) => {
  const { id } = await bank.reaches((await bank.change('deploy')).id, 'success')
  const attributes = { description: 'commands of pages', expires_at: new Date(Date.now() + 3_600_000).toISOString() }
  const token = await bank.as('ann').send('POST', '/api/tokens', { data: { attributes } })
  const run = (command: string) => printed(command, bank.address, String(token?.meta?.['token']))
  const front = '/projects/bank/environments/test/assets/front'
  const pages: readonly (readonly [address: string, shown: RegExp])[] = [
    ['/activities?status=%5B%22success%22%5D&path=front', /deploy/],
    ['/audit?type=changes%3A', /api:changes:create/],
    ['/approvals', /^/],
    ['/schedules', /^/],
    ['/templates?q=a', /^/],
    ['/workflows', /^/],
    ['/projects', /bank/],
    [front, /front/],
    [`${front}?tab=properties`, /front/],
    [`${front}?tab=settings`, /front/],
    [`${front}?tab=activities`, /deploy/],
    [`${front}?tab=schedules`, /front/],
    [`${front}?tab=bookmarks`, /front/],
    [`/activities/${id}`, /deploy/],
  ]
  for (const [address, shown] of pages) {
    await open(address)
    const texts = await Promise.all((await offered(page)).map(run))
    expect(texts.join('\n'), address).toMatch(shown)
  }
})

test('the dialog of a long command is accessible, and the command can be copied', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(`/activities?status=%5B%22success%22%2C%22error%22%5D&path=${'front'.repeat(20)}`)
  await page.getByRole('button', { name: 'As a command' }).click()
  const dialog = page.getByRole('dialog', { name: 'As a command' })
  await expectGoodEverywhere(page, () => expect(dialog.getByText('status_code_in=success,error')).toBeVisible())
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied the command')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sluice list activities .*path_cont=front/)
})
