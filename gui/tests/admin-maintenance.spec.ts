import { parts, settingsPath } from './admin-parts.ts'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test('maintenance is switched on with its blockers, shown to others as well, and switched off', async ({
  page,
  open,
  bank,
  browser,
}) => {
  const change = await bank.change('rollout')
  try {
    await bank.reaches(change.id, 'waiting_for_approval')
    const elsewhere = await browser.newPage({ baseURL: bank.address })
    for (const each of [page, elsewhere]) await each.clock.install()
    await open('/activities', 'admin', elsewhere)
    await open('/admin', 'admin')
    await expect(page).toHaveURL(/\/admin\/maintenance$/)
    await page.getByRole('button', { name: 'Turn on…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn maintenance mode on?' })
    await expect(dialog).toContainText('No change, workflow run or background task starts')
    await expect(dialog).toContainText('In progress now: 1 change, 0 workflow runs, 0 background tasks.')
    await dialog.getByRole('button', { name: 'Turn maintenance on' }).click()
    const draining = 'Draining: 1 change, 0 workflow runs, 0 background tasks'
    await expect(page.getByRole('main').getByText(draining)).toBeVisible()
    // Other pages read the mode again every 15 seconds.
    await elsewhere.clock.fastForward(15_000)
    for (const each of [page, elsewhere])
      await expect(each.getByRole('status').filter({ hasText: '·' })).toContainText(draining)
    await elsewhere.close()

    const blocker = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'rollout' }) })
    await expect(blocker).toContainText('waits for approval by bob at the step rollout/Go live')
    await expect(blocker).toContainText('by ann')
    await expectGoodEverywhere(page, () => expect(blocker).toBeVisible())
    await blocker.getByRole('link', { name: 'rollout' }).click()
    await expect(page).toHaveURL(new RegExp(`/activities/${change.id}$`))
    await page.goBack()
    await bank.as('ann').remove(`/api/changes/${change.id}`)
    await bank.reaches(change.id, 'cancelled')
    await page.clock.fastForward(15_000)
    await expect(page.getByRole('main').getByText('Drained - nothing is in progress.')).toBeVisible()

    await page.getByRole('button', { name: 'Turn on for others…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on for others' }).click()
    await expect(page.getByRole('main').getByText("Superusers' work may still start.")).toBeVisible()
    await page.getByRole('button', { name: 'Turn off…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn maintenance off' }).click()
    await expect(page.getByText('Nothing is in progress', { exact: true })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '·' })).toBeHidden()
  } finally {
    await bank.as('admin').update(await settingsPath(bank), { data: { maintenance_mode: 'disabled' } })
  }
})

test('the dialog that switches maintenance is accessible in both themes, narrow and wide', async ({ page, open }) => {
  await open('/admin/maintenance', 'admin')
  await page.getByRole('button', { name: 'Turn on for others…' }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog')).toBeVisible())
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Turn on for others…' })).toBeFocused()
})

test('a reader of the administration switches nothing and sees no names of hidden work', async ({
  page,
  open,
  bank,
}) => {
  const change = await bank.change('rollout')
  await bank.reaches(change.id, 'waiting_for_approval')
  await open('/admin', 'nina')
  const turnOn = page.getByRole('button', { name: 'Turn on…' })
  await expect(turnOn).toHaveAccessibleDescription('You need the right "update" on /system_configuration.')
  await turnOn.click({ force: true })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Hidden: you may not read it')).toBeVisible()
  await expect(page.getByRole('main').getByText('rollout')).toBeHidden()
  await expect(parts(page).getByRole('link', { name: 'Settings' })).toBeHidden()
  await parts(page).getByRole('link', { name: 'Encryption keys' }).click()
  await expect(page.getByRole('button', { name: 'Rotate keys…' })).toHaveAccessibleDescription(
    'You need the right "update" on /admin/key_rotations.',
  )
  await parts(page).getByRole('link', { name: 'Data cleaning' }).click()
  await expect(page.getByRole('button', { name: 'Add a rule…' })).toHaveAccessibleDescription(/"update"/)
  await bank.as('ann').remove(`/api/changes/${change.id}`)
})
