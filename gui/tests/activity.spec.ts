import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('a running change shows its steps and its log as they come, and is approved in place', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('rollout')
  await open(`/activities/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'rollout' })).toBeVisible()
  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await expect(tree.getByRole('treeitem', { name: 'success check' })).toBeVisible()
  await expect(page.getByText('all disks have room')).toBeVisible()
  await expect(page.getByText('“Go live”')).toBeVisible()
  await expect(page.getByText(`Approvers: ${bank.username('bob')}`)).toBeVisible()
  // Ann is none of the approvers.
  await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0)
  await expect(page).toHaveTitle('rollout waiting for approval · front · Sluice')
  const waiting = await bank.as('bob').list<{ activity_id: string }>('/api/waiting_steps')
  const step = waiting.find(({ attributes }) => attributes.activity_id === id)!
  await bank.as('bob').create(`/api/steps/${step.id}/approve`)
  await expect(page.getByText('48 of 48 checks passed')).toBeVisible()
  await expect(page).toHaveTitle('rollout success · front · Sluice')
  await expect(page.getByText('9 of 9 steps')).toBeVisible()
})

test('a failed change opens at what failed, and names it', async ({ page, open, bank }) => {
  const { id } = await bank.change('broken')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}`)
  await expect(page.getByText('Step "broken/fail" failed: exit code 3')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Line 3, error' })).toBeVisible()
  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await tree.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/step=/)
  await expect(page.getByRole('treeitem', { name: 'error fail' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('2 lines')).toBeVisible()
  await expect(page.getByText('fetched release 12')).toHaveCount(0)
  await page.getByRole('button', { name: 'Only fail: Show the log of all steps' }).click()
  await expect(page.getByText('fetched release 12')).toBeVisible()
})

test('lines are linked, and a range is chosen with Shift', async ({ page, open, bank }) => {
  const { id } = await bank.change('chatty')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}?line=2500`)
  await expect(page.getByText('line 2500 of 5000')).toBeInViewport()
  await page.getByRole('link', { name: 'Line 2503', exact: true }).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/line=2500-2503/)
  await expect(page.getByText('Lines 2,500–2,503')).toBeVisible()
  await page.reload()
  await expect(page.getByText('line 2503 of 5000')).toBeInViewport()
  expect(await page.locator('[data-line]').count()).toBeLessThan(80)
})

test('a running log is followed until somebody scrolls up, and again with End', async ({ page, open, bank }) => {
  const { id } = await bank.change('drip', { asset: 'back' })
  await open(`/activities/${id}`)
  const follow = page.getByRole('button', { name: 'Follow' })
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('drop 60', { exact: true })).toBeInViewport()
  const log = page.getByRole('log', { name: 'Log' })
  await log.hover()
  await page.mouse.wheel(0, -600)
  await expect(follow).toHaveAttribute('aria-pressed', 'false')
  await log.focus()
  await page.keyboard.press('End')
  await expect(follow).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Cancel…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel drip on back?' })
  await expect(dialog.getByText('Running now: drip')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel the activity' }).click()
  await expect(page).toHaveTitle('drip cancelled · back · Sluice')
  await expect(page.getByRole('button', { name: 'Cancel…' })).toHaveCount(0)
})

test('an input step asks for its values, and shows errors at their fields', async ({ page, open, bank }) => {
  const { id } = await bank.change('choose', { asset: 'back' })
  await open(`/activities/${id}`)
  await page.getByRole('button', { name: 'Continue…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Continue “Which release?”' })
  await expect(dialog.getByLabel('where')).toHaveValue('"here"')
  await dialog.getByLabel('version').fill('twelve')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('version')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('version')).toBeFocused()
  await dialog.getByLabel('version').fill('12')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveTitle('choose success · back · Sluice')
})

test('somebody who may not read it gets no more than "not found"', async ({ page, open, bank }) => {
  const { id } = await bank.change('check')
  await open(`/activities/${id}`, 'carol')
  await expect(page.getByText('Not found')).toBeVisible()
})

test('a reader sees no button that changes something', async ({ page, open, bank }) => {
  const { id } = await bank.change('pause-for')
  await bank.reaches(id, 'waiting')
  await open(`/activities/${id}`, 'bob')
  await expect(page.getByText('“Look at the dashboard”')).toBeVisible()
  for (const name of ['Pause', 'Cancel…', 'Continue…']) await expect(page.getByRole('button', { name })).toHaveCount(0)
})

test('the log is searched by the service, and keys go from match to match', async ({ page, open, bank }) => {
  const { id } = await bank.change('chatty')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await expect(page.getByText('line 1 of 5000')).toBeVisible()
  await page.getByLabel('Find in the log').fill('LINE 49')
  await expect(page).toHaveURL(/find=LINE/)
  await expect(page.getByText('1 of 111', { exact: true })).toBeVisible()
  await expect(page.getByText('line 49 of 5000')).toBeInViewport()
  await page.getByRole('log').focus()
  await page.keyboard.press('n')
  await expect(page.getByText('2 of 111', { exact: true })).toBeVisible()
  await expect(page.locator('[data-line="490"]')).toBeInViewport()
  await page.keyboard.press('p')
  await page.keyboard.press('p')
  await expect(page.getByText('111 of 111', { exact: true })).toBeVisible()
  await expect(page.locator('[data-line="4999"]')).toBeInViewport()
  await page.goto(`/activities/${id}?find=line%202500`)
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(page.locator('[data-line="2500"]')).toBeInViewport()
  await page.getByLabel('Find in the log').fill('no such text')
  await expect(page.getByText('No matches')).toBeVisible()
})

test('every tab shows its part, and stands in the address', async ({ page, open, bank }) => {
  const { id } = await bank.change('broken', { attributes: { metadata: { ticket: 'CHG-2041' } } })
  await bank.reaches(id, 'error')
  await open(`/activities/${id}`)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await expect(page).toHaveURL(/tab=timeline/)
  await expect(page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'fetch' })).toBeVisible()
  await page.getByRole('link', { name: 'Flow', exact: true }).click()
  await expect(page.getByRole('link', { name: 'error fail' })).toBeVisible()
  await page.getByRole('link', { name: 'Details' }).click()
  await expect(page.getByText('ticket: CHG-2041')).toBeVisible()
  await page.getByRole('treeitem', { name: 'error fail' }).click()
  await expect(page.getByRole('heading', { name: 'Step “fail”' })).toBeVisible()
  await expect(page.getByText('2, 1 of them errors')).toBeVisible()
  await page.getByRole('link', { name: 'Events' }).click()
  await expect(page.getByRole('table', { name: 'Events' }).getByText('api:changes:error').first()).toBeVisible()
  await page.getByRole('link', { name: 'Artefacts' }).click()
  await expect(page.getByText('No artefacts')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No artefacts')).toBeVisible()
})

test('events are told in words, and a row opens its event by an address of its own', async ({ page, open, bank }) => {
  const { id } = await bank.reaches((await bank.change('broken')).id, 'error')
  await open(`/activities/${id}?tab=events`)
  const failed = page.getByRole('table', { name: 'Events' }).getByRole('row', { name: /Change failed/ })
  await expect(failed.getByRole('img', { name: 'Error' })).toBeVisible()
  await failed.getByRole('link', { name: 'Change failed' }).click()
  await expect(page).toHaveURL(/tab=events.*event=[0-9a-f-]{36}/)
  const sheet = page.getByRole('dialog', { name: 'Change failed' })
  await expect(sheet).toContainText('api:changes:error')
  await page.reload()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/tab=events$/)
  await expectGoodEverywhere(page, () => expect(failed).toBeVisible())
})

test('the filter of the steps stands in the address', async ({ page, open, bank }) => {
  const { id } = await bank.reaches((await bank.change('broken')).id, 'error')
  await open(`/activities/${id}`)
  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await page.getByLabel('Filter steps').fill('fetch')
  await expect(page).toHaveURL(/filter=fetch/)
  await tree.getByRole('treeitem', { name: 'fetch' }).click()
  await expect(page).toHaveURL(/filter=fetch.*step=|step=.*filter=fetch/)
  await page.reload()
  await expect(page.getByLabel('Filter steps')).toHaveValue('fetch')
  await expect(tree.getByRole('treeitem', { name: 'fetch' })).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: 'verify' })).toHaveCount(0)
})

test('only what is not done, and a filter by name', async ({ page, open, bank }) => {
  const { id } = await bank.change('pause-for', { asset: 'back' })
  await bank.reaches(id, 'waiting')
  await open(`/activities/${id}?only=unfinished`)
  const tree = page.getByRole('tree', { name: 'Steps of the activity' })
  await expect(tree.getByRole('treeitem', { name: 'restart' })).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: 'check' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Only what is not done' }).click()
  await expect(tree.getByRole('treeitem', { name: 'check' })).toBeVisible()
  await page.getByLabel('Filter steps').fill('REST')
  await expect(tree.getByRole('treeitem', { name: 'check' })).toHaveCount(0)
  await expect(tree.getByRole('treeitem', { name: 'restart' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
})

test('the page goes on when the service comes back', async ({ page, open, bank }) => {
  const { id } = await bank.change('rollout', { asset: 'back' })
  await bank.reaches(id, 'waiting_for_approval')
  await open(`/activities/${id}`)
  await expect(page.getByText('“Go live”')).toBeVisible()
  await bank.kill()
  await expect(page.getByText(/^Not connected since/)).toBeVisible()
  await bank.start()
  await expect(page.getByText(/^Not connected since/)).toHaveCount(0)
  const waiting = await bank.as('bob').list<{ activity_id: string }>('/api/waiting_steps')
  const step = waiting.find(({ attributes }) => attributes.activity_id === id)!
  await bank.as('bob').create(`/api/steps/${step.id}/reject`)
  await expect(page).toHaveTitle('rollout rejected · back · Sluice')
})

test('a workflow run shows its steps with the logs of its changes, and is approved in place', async ({
  page,
  open,
  bank,
}) => {
  const source = `steps:
  - { name: Check both, targets: [environments/live/assets/front, environments/live/assets/back], action: check }
  - { name: Is it good?, requires_approval_from: { user_names: [${bank.username('bob')}] } }
  - { name: Finish, target: environments/live/assets/front, action: restart }
`
  await bank.as('admin').create(`/api${bank.path}/workflows`, {
    code: 'night',
    name: 'Night',
    source_yaml: source,
    draft: false,
  })
  const { id } = await bank.as('admin').create(`/api${bank.path}/workflows/night/runs`)
  await open(`/activities/${id}`, 'bob')
  await expect(page.getByRole('heading', { level: 1, name: 'night' })).toBeVisible()
  await expect(page.getByText('all disks have room')).toHaveCount(2)
  await page.getByRole('button', { name: 'Approve…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve “Is it good?”' })
  await dialog.getByLabel('Message').fill('looks fine')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('restarted web-01 to web-04')).toBeVisible()
  await expect(page).toHaveTitle(`night success · ${bank.code} · Sluice`)
  await page.getByRole('treeitem', { name: 'Finish' }).click()
  await expect(page.getByText('all disks have room')).toHaveCount(0)
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('link', { name: 'Show activity 1' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'restart' })).toBeVisible()
  await page.getByRole('link', { name: 'Details' }).click()
  await page.getByRole('link', { name: 'Show the workflow run' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'night' })).toBeVisible()
})

test('the page is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const { id } = await bank.change('broken')
  await bank.reaches(id, 'error')
  await open(`/activities/${id}?find=disk&line=2`)
  await expectGoodEverywhere(page, () => expect(page.getByText('all disks have room')).toBeVisible())
})

for (const [tab, text] of [
  ['steps', 'Only what is not done'],
  ['timeline', '0 s'],
  ['flow', 'fail'],
  ['details', 'Git remote'],
  ['events', 'Change failed'],
] as const)
  test(`the tab "${tab}" is accessible in both themes, narrow and wide`, async ({ page, open, bank }) => {
    const { id } = await bank.change('broken')
    await bank.reaches(id, 'error')
    await open(`/activities/${id}?tab=${tab}`)
    await expectGoodEverywhere(page, () => expect(page.getByText(text).first()).toBeVisible())
  })
