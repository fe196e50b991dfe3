import { dataOf, editorOf, environment, row, write } from './configured.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a property is changed after its impact was shown', async ({ page, open, bank }) => {
  const { path, properties } = await environment(bank, 'impact', { web: { port: 80, host: 'a' } })
  await open(`${path}?tab=properties&view=own`)
  await expect(editorOf(page)).toContainText('port: 80')
  await write(page, 'web:\n  ')
  await page.keyboard.type('por')
  await page.getByRole('option', { name: /^port/ }).click()
  await expect(editorOf(page)).toContainText('port: ')
  await write(page, 'web:\n  port: 443\n  host: a\n')
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save as version 3' })
  await expect(dialog).toContainText('The values of 1 environment change.')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'web.port' }).last()).toHaveText('changed web.port 443')
  await dialog.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText(`Version 3 by ${bank.username('ann')}`)).toBeVisible()
  expect(await dataOf(bank.as('ann'), properties)).toMatchObject({ data: { web: { port: 443 } }, version: 3 })
  await page.getByRole('link', { name: 'Effective' }).click()
  await expect(row(page, 'web.port')).toContainText('443')
  await page.getByRole('link', { name: 'web.port' }).click()
  await expect(page).toHaveURL(/pointer=/)
  await expect(page.getByRole('heading', { name: 'Origin of web.port' })).toBeVisible()
  await expect(page.getByText('in effect')).toBeVisible()
})

test('the editor keeps letters to itself, reports problems with their place, and causes no violation of the CSP', async ({
  page,
  open,
  bank,
}) => {
  const { path } = await environment(bank, 'editor', { web: { port: 80 } }, { web: { port: 81 } })
  await page.addInitScript(() => {
    Object.assign(window, { violations: [] })
    addEventListener('securitypolicyviolation', event =>
      (window as unknown as { violations: string[] }).violations.push(`${event.violatedDirective} ${event.sample}`),
    )
  })
  await open(`${path}?tab=properties&view=own`)
  await write(page, 'mode: 0644\n# ')
  await page.keyboard.type('gd')
  await expect(page).toHaveURL(/view=own/)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert')).toContainText('1:7')
  await page.keyboard.press('Control+f')
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused()
  await page.keyboard.press('Escape')
  // Escape holds for two seconds, which pass between two keys on a busy machine.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect(editorOf(page)).not.toBeFocused({ timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: 'Discard the changes' }).click()
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expect(page.getByRole('textbox', { name: 'Version 2' })).toContainText('port: 80')
  await expect(page.getByRole('textbox', { name: 'Version 3' })).toContainText('port: 81')
  expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
})

test('two people edit at once: each sees what both changed since they began, and nothing is lost', async ({
  page,
  open,
  bank,
}) => {
  const { path, properties } = await environment(bank, 'conflict', { a: 1, b: 2, web: { c: 3, d: 4 }, e: 5 })
  await open(`${path}?tab=properties&view=own`)
  await expect(editorOf(page)).toContainText('a: 1')
  await write(page, 'a: 10\nb: 2\nweb:\n  c: 3\n  d: 40\nmine: true\n')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('dialog')).toContainText('The values of 1 environment change.')
  await bank.as('admin').update(properties, { data: { a: 1, b: 2, web: { c: 30, d: 41 }, e: 5, theirs: [1] } })
  await page.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByRole('alert')).toContainText('Version 3 was saved by admin while you were editing.')
  expect(await dataOf(bank.as('ann'), properties)).toMatchObject({ data: { theirs: [1] }, version: 3 })
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByRole('heading', { name: 'Changes since version 2, from which both began' })).toBeVisible()
  const theirs = page.getByRole('list', { name: 'Version 3 by admin' }).getByRole('listitem')
  await expect(theirs).toHaveText([
    /web\.c\s*changed\s*3.*30/,
    /web\.d\s*changed\s*changed by both\s*4.*41/,
    /theirs\s*added/,
  ])
  const own = page.getByRole('list', { name: 'Your text' }).getByRole('listitem')
  await expect(own).toHaveText([
    /a\s*changed\s*1.*10/,
    /web\.d\s*changed\s*changed by both\s*4.*40/,
    /e\s*removed/,
    /mine\s*added/,
  ])
  await expectGoodEverywhere(page, () => expect(own).toHaveCount(4))
  const mine = page.getByRole('textbox', { name: /^Your text/ })
  await expect(mine).toContainText('c: 30')
  await expect(mine).toContainText('d: 40')
  await page.getByRole('button', { name: 'Review and save…' }).click()
  await page.getByRole('button', { name: 'Save as version 4' }).click()
  await expect(page.getByText(`Version 4 by ${bank.username('ann')}`)).toBeVisible()
  const { data } = await dataOf(bank.as('ann'), properties)
  expect(data).toEqual({ a: 10, b: 2, web: { c: 30, d: 40 }, theirs: [1], mine: true })
})

test('a review shows no impact on another version than it compares with', async ({ page, open, bank }) => {
  const admin = bank.as('admin')
  const { path, properties } = await environment(bank, 'overtaken', { a: 1 })
  /** Saves another version as soon as the impact is asked for, and only then lets that go on. */
  const overtake = (a: number) =>
    page.route(
      url => url.pathname === `${properties}/impact`,
      async route => {
        await admin.update(properties, { data: { a } })
        await route.continue()
      },
      { times: 1 },
    )
  await open(`${path}?tab=properties&view=own`)
  await expect(editorOf(page)).toContainText('a: 1')
  await write(page, 'a: 2\n')
  await overtake(3)
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('alert')).toContainText('Version 3 was saved by admin while you were editing.')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Discard the changes' }).click()

  await open(`${path}?tab=properties&view=history&version=2`)
  await overtake(4)
  await page.getByRole('button', { name: 'Restore…' }).click()
  // The dialog does not change by itself under the pointer of somebody who is about to save.
  await expect(page.getByRole('dialog')).toContainText('Another version has been saved since this was opened.')
  await page.getByRole('button', { name: 'Save as version 4' }).click()
  await expect(page.getByRole('dialog')).toContainText('Version 4 was saved by admin. Nothing is saved yet')
  await expect(page.getByRole('dialog')).toContainText('The values of 1 environment change.')
  await page.getByRole('button', { name: 'Save as version 5' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await dataOf(bank.as('ann'), properties)).toMatchObject({ data: { a: 1 }, version: 5 })
})

test('a text with problems is compared as it is, and keeps what was typed', async ({ page, open, bank }) => {
  const { path, properties } = await environment(bank, 'broken', { a: 1 })
  await open(`${path}?tab=properties&view=own`)
  await write(page, 'a: [1\n')
  await bank.as('admin').update(properties, { data: { a: 2 } })
  await expect(page.getByRole('alert')).toContainText('Version 3 was saved by admin')
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByText('Your text has problems, so the other changes could not be added to it.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Your text/ })).toContainText('a: [1')
  await expect(page.getByRole('textbox', { name: 'Version 3 by admin' })).toContainText('a: 2')
})

test('unsaved changes are not left by accident', async ({ page, open, bank }) => {
  const { path } = await environment(bank, 'unsaved', { a: 1 })
  await open(`${path}?tab=properties&view=own`)
  await write(page, 'a: 2\n')
  await page.getByRole('link', { name: 'Activities', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(editorOf(page)).toContainText('a: 2')
  await page.getByRole('link', { name: 'Effective' }).click()
  await page.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(row(page, 'Env unsaved')).toBeVisible()
})

test('the time slider shows the configuration of the past, by mouse, keyboard and link', async ({
  page,
  open,
  bank,
}) => {
  const { path } = await environment(bank, 'past', { port: 8001 }, { port: 8002 })
  await open(`${path}?tab=properties`)
  await expect(row(page, 'port')).toContainText('8002')
  await page.getByRole('button', { name: 'Earlier version' }).click()
  await expect(page).toHaveURL(/at=/)
  await expect(row(page, 'port')).toContainText('8001')
  await page.reload()
  await expect(row(page, 'port')).toContainText('8001')
  await page.getByRole('link', { name: 'Own', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Properties', exact: true })).toContainText('8001')
  await expect(page.getByRole('textbox', { name: 'Properties', exact: true })).toHaveAttribute('aria-readonly', 'true')
  await expect(page.getByRole('button', { name: 'Review and save…' })).toHaveCount(0)
  await page.getByRole('slider', { name: 'Point in time' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).not.toHaveURL(/at=/)
  await expect(editorOf(page)).toContainText('8002')
})

test('revealing a secret is recorded, and it is hidden again after 30 seconds', async ({ page, open, bank }) => {
  const api = bank.as('ann')
  const { path, properties } = await environment(bank, 'secret')
  const secret = { node_path: path, path: 'database', key: 'password', value: 'correct horse battery' }
  const { attributes } = await api.create<{ reference: string }>('/api/secrets/encrypt', secret)
  await api.update(properties, { data: { password: attributes.reference } })
  await page.clock.install()
  await open(`${path}?tab=properties`)
  await page.getByRole('button', { name: 'Reveal…' }).click()
  await expect(page.getByText('correct horse battery')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reveal and record' }).click()
  await expect(page.getByText('correct horse battery')).toBeVisible()
  const events = await bank.as('admin').list<{ username: string }>('/api/events', {
    'filter[type_eq]': 'api:secrets:resolve',
    'filter[node_path_eq]': path,
  })
  expect(events.map(event => event.attributes.username)).toEqual([bank.username('ann')])
  await page.clock.fastForward(31_000)
  await expect(page.getByText('correct horse battery')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Reveal…' })).toBeVisible()
})

test('a reader sees everything read-only, with the reason', async ({ page, open, bank }) => {
  const { path } = await environment(bank, 'reader', { port: 80 }, { port: 81 })
  await open(`${path}?tab=properties&view=own`, 'bob')
  await expect(page.getByText(`Read-only: you need the right "update" on ${path}/properties.`)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Properties', exact: true })).toHaveAttribute('aria-readonly', 'true')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByRole('link', { name: 'v2' }).click()
  await expect(page.getByRole('button', { name: 'Restore…' })).toHaveAttribute('aria-disabled', 'true')
  await page.goto(`${path}?tab=settings&view=own`)
  await expect(page.getByRole('button', { name: 'Set here… repo_folder' })).toHaveAttribute('aria-disabled', 'true')
})

test('any two versions are compared, and one is restored', async ({ page, open, bank }) => {
  const { path, properties } = await environment(bank, 'versions', { a: 1 }, { a: 2 }, { a: 3 })
  await open(`${path}?tab=properties&view=history`)
  await page.getByRole('link', { name: 'v2' }).click()
  await page.getByLabel('Compare with').selectOption('Version 4')
  await expect(page).toHaveURL(/against=4/)
  await expect(page.getByRole('textbox', { name: 'Version 2' })).toContainText('a: 1')
  await page.getByRole('button', { name: 'Restore…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore version 2 as version 5' })
  await expect(dialog).toContainText('The values of 1 environment change.')
  await dialog.getByRole('button', { name: 'Save as version 5' }).click()
  await expect(page.getByRole('link', { name: 'v5' })).toBeVisible()
  expect(await dataOf(bank.as('ann'), properties)).toMatchObject({ data: { a: 1 }, version: 5 })
})

test('a node without properties says what to do next', async ({ page, open, bank }) => {
  const { path } = await environment(bank, 'empty')
  await open(`${path}?tab=properties`)
  await expect(page.getByText(`sluice update properties ${path} data.web.port=443`)).toBeVisible()
  await page.getByRole('link', { name: 'Edit own properties' }).click()
  await expect(editorOf(page)).toBeVisible()
})

test('all views are accessible in both themes and at all widths', async ({ page, open, bank }) => {
  const api = bank.as('ann')
  const { path, properties } = await environment(
    bank,
    'everywhere',
    { web: { port: 80, list: [1, 'two', null] } },
    { web: { port: 81 } },
  )
  const table = page.getByRole('table', { name: 'Effective values' })
  await open(`${path}?tab=properties&pointer=%2Fweb%2Fport`)
  const [, before] = await api.list<{ created_at: string }>(`${properties}/versions`)
  await expectGoodEverywhere(page, async () => {
    await expect(page.getByText('in effect')).toBeVisible()
    await expect(table).toBeVisible()
  })
  await page.goto(`${path}?tab=properties&at=${encodeURIComponent(before?.attributes.created_at ?? '')}`)
  await expectGoodEverywhere(page, () => expect(page.getByText('· read-only')).toBeVisible())
  await page.goto(`${path}?tab=properties&view=own`)
  await expectGoodEverywhere(page, () => expect(editorOf(page)).toContainText('port'))
  await page.goto(`${path}?tab=properties&view=history`)
  await expectGoodEverywhere(page, () => expect(page.getByRole('textbox', { name: 'Version 3' })).toContainText('port'))
  await page.goto(`${path}?tab=settings&view=own`)
  await page.getByRole('button', { name: 'Set here… runner.resources' }).click()
  await page.getByRole('button', { name: 'Set here… runner.idle_timeout' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('spinbutton')).toBeVisible())
})
