import { expect, expectGoodEverywhere, type TestBank, test } from './fixtures.ts'

test.use({ ownProject: true })

const frontOf = ({ path }: TestBank) => `${path}/environments/test/assets/front`

test('the tree is used by keyboard, and opens nodes', async ({ page, open, bank }) => {
  await open('/projects')
  const tree = page.getByRole('tree', { name: 'Nodes' })
  await expect(tree.getByRole('treeitem', { name: /test/ })).toBeVisible()
  await tree.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(tree.getByRole('treeitem')).toHaveCount(1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${bank.path}/environments/live/assets/back`)
  await expect(page.getByRole('heading', { name: 'Back', level: 1 })).toBeVisible()
  await expect(tree.getByRole('treeitem', { selected: true })).toHaveAccessibleName(/back/)
})

test('the filter of the tree stands in the address and survives opening a node and a reload', async ({
  page,
  open,
}) => {
  await open('/projects')
  const tree = page.getByRole('tree', { name: 'Nodes' })
  await page.getByLabel('Filter nodes…').fill('test front')
  await expect(tree.getByRole('treeitem')).toHaveCount(3)
  await tree.getByRole('link', { name: /front/ }).click()
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await page.reload()
  await expect(tree.getByRole('treeitem')).toHaveCount(3)
  await page.getByLabel('Filter nodes…').fill('nothing-like-this')
  await expect(page.getByText('No node matches the filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(tree.getByRole('treeitem', { name: /live/ })).toBeVisible()
})

test('what runs on a node is shown in the tree and on its page without a reload', async ({ page, open, bank }) => {
  await open(`${bank.path}/environments/test/assets/back`)
  const { id } = await bank.change('pause-for', { asset: 'back' })
  const running = page.locator('section').filter({ hasText: 'Running now' }).last()
  await expect(running.getByRole('link', { name: 'pause-for' })).toBeVisible()
  const row = page.getByRole('treeitem', { selected: true })
  await expect(row.getByRole('img', { name: 'waiting' })).toBeVisible()
  await bank.as('ann').remove(`/api/changes/${id}`)
  await expect(row.getByRole('img', { name: 'cancelled' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'pause-for: cancelled' }).first()).toBeVisible()
  const today = page.getByRole('link', { name: /^\d+ runs? today$/ })
  await expect(today).toBeVisible()
  await today.click()
  await expect(page).toHaveURL(/\/activities\?.*under=.*from=|\/activities\?.*from=.*under=/)
  await expect(page.getByRole('link', { name: 'pause-for' }).first()).toBeVisible()
})

test('tabs are links, and the keys of their numbers open them', async ({ page, open, bank }) => {
  await open(`${frontOf(bank)}?tab=actions`)
  await expect(page.getByText('Deploy without asking')).toBeVisible()
  await page.keyboard.press('7')
  await expect(page).toHaveURL(/tab=versions/)
  await expect(page.getByText('current').first()).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Deploy without asking')).toBeVisible()
})

test('the keys [ and ] go through the nodes of one parent, and keep the tab', async ({ page, open, bank }) => {
  await open(`${bank.path}/environments/test/assets/back?tab=activities`)
  const title = (name: string) => page.getByRole('heading', { level: 1, name })
  await expect(title('Back')).toBeVisible()
  await page.keyboard.press(']')
  await expect(title('Front')).toBeVisible()
  await expect(page).toHaveURL(/assets\/front\?tab=activities/)
  await page.keyboard.press('[')
  await expect(title('Back')).toBeVisible()
})

test('the sorting of the activities of a node stands in the address', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  await bank.reaches((await bank.change('fetch')).id, 'success')
  await open(`${bank.path}?tab=activities`)
  const first = page.getByRole('table', { name: 'Activities of this node' }).locator('[data-row="0"]')
  await expect(first).toContainText('fetch')
  await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=created_at/)
  await expect(first).not.toContainText('fetch')
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(first).not.toContainText('fetch')
})

test('an asset moves to another version from its page, which says what that brings, and back', async ({
  page,
  open,
  bank,
}) => {
  const ann = bank.as('ann')
  const version = `/api${bank.path}/templates/web/versions/ahead`
  await ann.send('PUT', version, { data: { attributes: { git_rev: 'next' } } })
  const path = `${bank.path}/environments/test/assets/back`
  await open(`${path}?tab=versions`)
  const move = page.getByRole('button', { name: 'Move to version ahead…' })
  await expect(async () => {
    if (await move.isVisible()) return
    await page.reload()
    await expect(move).toBeVisible()
  }).toPass()
  await move.click()
  const dialog = page.getByRole('dialog', { name: 'Move Back to version ahead?' })
  const commits = dialog.getByRole('list', { name: '1 commit of ahead' })
  await expect(commits.getByRole('listitem')).toHaveText([/Listen on port 9090/])
  const files = dialog.getByRole('list', { name: '1 file differs' })
  await expect(files.getByRole('listitem')).toHaveText([/web\/defaults\.yaml.*changed/])
  await expectGoodEverywhere(page, () => expect(files).toBeVisible())
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Moved to version ahead')).toBeVisible()
  const versionOf = async () =>
    (await ann.show<{ template_version: string }>(`/api${path}`)).attributes.template_version
  expect(await versionOf()).toBe('ahead')
  await page.getByRole('button', { name: 'Move to version 1.0…' }).click()
  await expect(dialog.or(page.getByRole('dialog'))).toContainText('1 commit only in ahead, no longer included')
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('Moved to version 1.0')).toBeVisible()
  expect(await versionOf()).toBe('1.0')
})

test('a bookmark is added, opened safely, changed and removed', async ({ page, open, bank }) => {
  await open(`${frontOf(bank)}?tab=bookmarks`)
  await page.getByRole('button', { name: 'Add a bookmark…' }).click()
  await page.getByLabel('Text').fill('Runbook')
  await page.getByLabel('Address').fill('javascript:alert(1)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Address').fill('https://example.org/runbook')
  await page.getByRole('button', { name: 'Save' }).click()
  const link = page.getByRole('link', { name: 'Runbook' })
  await expect(link).toHaveAttribute('href', 'https://example.org/runbook')
  await expect(link).toHaveAttribute('rel', 'noreferrer')
  await page.getByRole('button', { name: 'Edit Runbook' }).click()
  await page.getByLabel('Text').fill('Handbook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove Handbook' }).click()
  await expect(page.getByText('No bookmarks yet')).toBeVisible()
})

test('a person without rights finds neither projects nor nodes', async ({ page, open, bank }) => {
  await open('/projects', 'carol')
  await expect(page.getByText('There is no project that you may read')).toBeVisible()
  await page.goto(frontOf(bank))
  await expect(page.getByRole('alert').getByText('Not found')).toBeVisible()
})

test('an address of something else below a project says that there is no such page', async ({ page, open, bank }) => {
  await bank.as('ann').create(`/api${bank.path}/workflows`, {
    code: 'no-node',
    name: 'No node',
    source_yaml: 'steps: [{ type: wait, name: Ready }]',
    draft: true,
  })
  await open(`${bank.path}/workflows/no-node`)
  await expect(page.getByRole('main').getByText('Not found')).toBeVisible()
  await page.goto(`${bank.path}/environments`)
  await expect(page.getByRole('main').getByText('Not found')).toBeVisible()
})

test('a reader sees why nothing can be run or changed', async ({ page, open, bank }) => {
  await open(frontOf(bank), 'bob')
  const run = page.getByRole('button', { name: 'Run…', exact: true })
  await expect(run).toHaveAccessibleDescription('You need the right "execute" on the actions of this node.')
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await expect(page.getByRole('menuitem', { name: /Archive…/ })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: /Destroy…/ })).toContainText('Only a superuser may destroy nodes.')
})

test('at 360 px the tree is a view of its own', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open('/projects')
  const tree = page.getByRole('tree', { name: 'Nodes' })
  await tree.getByRole('link', { name: /front/ }).first().click()
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await expect(tree).toBeHidden()
  await page.locator('main').getByRole('link', { name: 'Projects' }).click()
  await expect(tree).toBeVisible()
})

test('the tree is hidden, shown and made wider', async ({ page, open, bank }) => {
  await open(frontOf(bank))
  const tree = page.getByRole('tree', { name: 'Nodes' })
  const splitter = page.getByRole('separator', { name: 'Width of the tree' })
  await splitter.focus()
  await page.keyboard.press('ArrowRight')
  await expect(splitter).toHaveAttribute('aria-valuenow', '336')
  for (const [key, width] of [
    ['Home', 'aria-valuemin'],
    ['End', 'aria-valuemax'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(splitter).toHaveAttribute('aria-valuenow', (await splitter.getAttribute(width)) ?? '')
  }
  await page.getByRole('button', { name: 'Hide the tree' }).click()
  await expect(tree).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
  await expect(tree).toBeHidden()
  await page.getByRole('button', { name: 'Show the tree' }).click()
  await expect(tree).toBeVisible()
})

test('the tree marks nodes with a background task in progress', async ({ page, open, bank }) => {
  await page.route(/\/api\/nodes\?/, async route => {
    const answer = await route.fetch()
    if (answer.status() !== 200) return route.fulfill({ response: answer })
    const body = (await answer.json()) as { data: { attributes: { path: string; task_active: boolean } }[] }
    for (const { attributes } of body.data) if (attributes.path === frontOf(bank)) attributes.task_active = true
    await route.fulfill({ response: answer, json: body })
  })
  await open(frontOf(bank))
  const mark = page.getByRole('treeitem', { selected: true }).getByRole('img', {
    name: 'A background task is in progress',
  })
  await expectGoodEverywhere(page, async () => {
    await expect(page.getByRole('heading', { name: 'Front', level: 1 })).toBeVisible()
    if (page.viewportSize()!.width > 1_000) await expect(mark).toBeVisible()
  })
})

test('the tree and the projects are accessible in both themes, narrow and wide', async ({ page, open }) => {
  await open('/projects')
  await expectGoodEverywhere(page, () => expect(page.getByRole('tree', { name: 'Nodes' })).toBeVisible())
})

for (const [tab, text] of [
  ['overview', 'Last activities'],
  ['activities', 'check'],
  ['actions', 'Deploy without asking'],
  ['versions', 'History'],
  ['model', 'The template of this asset has no model'],
  ['bookmarks', 'No bookmarks yet'],
] as const)
  test(`the tab ${tab} is accessible in both themes, narrow and wide`, async ({ page, open, bank }) => {
    await bank.reaches((await bank.change('check')).id, 'success')
    await open(`${frontOf(bank)}?tab=${tab}`)
    await expectGoodEverywhere(page, () => expect(page.locator('main').getByText(text).first()).toBeVisible())
  })

test('a node is archived, hidden, shown again and restored; what uses it is named', async ({ page, open, bank }) => {
  const environment = `${bank.path}/environments/attic`
  await bank.as('ann').create(`/api${bank.path}/environments`, { code: 'attic', name: 'Attic' })
  const attributes = { code: 'box', name: 'Box', template_code: 'web', template_version: '1.0' }
  await bank.as('ann').create(`/api${environment}/assets`, attributes)
  await open(environment)
  const menu = page.getByRole('button', { name: 'More actions for this node' })
  const dialog = page.getByRole('dialog')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect(dialog.getByRole('alert')).toContainText('is in use')
  await dialog.getByRole('link', { name: /box/ }).click()
  await expect(page.getByRole('heading', { name: 'Box', level: 1 })).toBeVisible()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('This node is archived: it is read-only')).toBeVisible()
  const row = page.getByRole('treeitem', { name: /box/ })
  await expect(row).toHaveCount(0)
  await page.getByLabel('Show archived').check()
  await expect(row).toContainText('archived')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('This node is archived: it is read-only')).toBeHidden()
})

test('a name is changed; a change of someone else meanwhile is not overwritten', async ({ page, open, bank }) => {
  const path = `${bank.path}/environments/loft`
  await bank.as('ann').create(`/api${bank.path}/environments`, { code: 'loft', name: 'Loft' })
  await open(path)
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  const read = page.waitForResponse(each => new URL(each.url()).pathname === `/api${path}`)
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog')
  await read
  await bank.as('ann').update(`/api${path}`, { description: 'Under the roof' })
  await dialog.getByLabel('Name').fill('Upper loft')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed this meanwhile')
  await expect(dialog.getByLabel('Description')).toHaveValue('Under the roof')
  await expect(dialog.getByLabel('Name')).toHaveValue('Upper loft')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Upper loft', level: 1 })).toBeVisible()
  await expect(page.getByText('Under the roof')).toBeVisible()
})

test('a superuser destroys a node after typing its code', async ({ page, open, bank }) => {
  const path = `${bank.path}/environments/shed`
  await bank.as('ann').create(`/api${bank.path}/environments`, { code: 'shed', name: 'Shed' })
  await open(path, 'admin')
  await page.getByRole('button', { name: 'More actions for this node' }).click()
  await page.getByRole('menuitem', { name: 'Destroy…' }).click()
  const dialog = page.getByRole('dialog')
  const destroy = dialog.getByRole('button', { name: 'Destroy' })
  await expect(destroy).toHaveAccessibleDescription('Type shed to confirm')
  await dialog.getByLabel('Type shed to confirm').fill('shed')
  await destroy.click()
  await expect(page.getByRole('heading', { name: 'Bank', level: 1 })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: /shed/ })).toHaveCount(0)
  expect(await bank.as('admin').find(`/api${path}`)).toBeUndefined()
})
