import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('several activities are paused, resumed and cancelled, each with its result', async ({ page, open, bank }) => {
  const waiting = [await bank.change('pause-for'), await bank.change('pause-for', { asset: 'back' })]
  for (const { id } of waiting) await bank.reaches(id, 'waiting')
  const ended = await bank.change('check', { asset: 'back', attributes: { metadata: { ticket: 'CHG-5' } } })
  await open('/activities?status=%5B%22waiting%22%2C%22success%22%2C%22pending%22%2C%22cancelled%22%5D')
  const table = page.getByRole('table', { name: 'Activities' })
  const rowOf = (id: string) => table.getByRole('row').filter({ has: page.locator(`a[href="/activities/${id}"]`) })
  await rowOf(waiting[0]!.id).getByRole('checkbox').check()
  await rowOf(waiting[1]!.id).getByRole('link').first().focus()
  await page.keyboard.press('x')
  await expect(rowOf(waiting[1]!.id).getByRole('checkbox')).toBeChecked()
  await rowOf(ended.id).getByRole('checkbox').check()
  const bar = page.getByRole('group', { name: 'Selected activities' })
  await expect(bar).toContainText('3 selected')

  await bar.getByRole('button', { name: 'Pause 2 of 3' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'pause-for' })).toHaveText([/paused/, /paused/])
  await expect(dialog).toContainText('You cannot pause it now')
  await expect(dialog.getByRole('status')).toHaveText('2 done, 1 not possible')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(bar).toContainText('1 selected')
  await expect(bar.getByRole('button', { name: 'Pause' })).toHaveAccessibleDescription(/None of the selected/)
  for (const { id } of waiting)
    await expect
      .poll(
        async () => (await bank.as('ann').show<{ pause_state: string }>(`/api/changes/${id}`)).attributes.pause_state,
      )
      .not.toBe('none')
  await bar.getByRole('button', { name: 'Clear the selection' }).click()
  await expect(bar).toHaveCount(0)

  for (const { id } of waiting) await rowOf(id).getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Cancel…' }).click()
  await expect(dialog).toContainText('This cannot be undone.')
  await page.route(`**/api/changes/${waiting[0]!.id}`, route =>
    route.fulfill({
      status: 409,
      contentType: 'application/vnd.api+json',
      body: JSON.stringify({ errors: [{ code: 'conflict', detail: 'It has ended meanwhile.' }] }),
    }),
  )
  await dialog.getByRole('button', { name: 'Cancel 2 activities' }).click()
  await expect(dialog.getByRole('status')).toHaveText('1 done, 1 refused')
  await expect(dialog).toContainText('refused: It has ended meanwhile.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(bar).toContainText('1 selected')
  await bank.reaches(waiting[1]!.id, 'cancelled')
  await page.unrouteAll()
  await bank.as('ann').remove(`/api/changes/${waiting[0]!.id}`)
})

test('a range is selected with Shift, and Escape clears it', async ({ page, open, bank }) => {
  for (let i = 0; i < 4; i += 1) await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities?status=%5B%22success%22%5D')
  const boxes = page.getByRole('table', { name: 'Activities' }).locator('[data-row]').getByRole('checkbox')
  await boxes.nth(3).click()
  await boxes.nth(1).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('group', { name: 'Selected activities' })
  await expect(bar).toContainText('3 selected')
  await page.keyboard.press('k')
  await expect(page.locator('[data-row="0"] a').first()).toBeFocused()
  await page.keyboard.press('Shift+X')
  await expect(bar).toContainText('4 selected')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
})

test('who may not act on an activity sees why, and nothing is sent', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check')).id, 'success')
  await open('/activities', 'bob')
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  const bar = page.getByRole('group', { name: 'Selected activities' })
  await expect(bar.getByRole('button', { name: 'Cancel…' })).toHaveAttribute('aria-disabled', 'true')
  await expect(bar.getByRole('button', { name: 'Cancel…' })).toHaveAccessibleDescription(/by you now/)
})

test('the selection is accessible in both themes, narrow and wide', async ({ page, open, bank }) => {
  const { id } = await bank.change('pause-for', { asset: 'back' })
  await bank.reaches(id, 'waiting')
  await open('/activities')
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await expectGoodEverywhere(page, () => expect(page.getByRole('group', { name: 'Selected activities' })).toBeVisible())
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await expectGoodEverywhere(page, () => expect(page.getByRole('dialog')).toBeVisible())
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
  await bank.as('ann').remove(`/api/changes/${id}`)
})
