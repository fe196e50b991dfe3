import { expect, expectGoodEverywhere, test } from './fixtures.ts'

test.use({ ownProject: true })

test('the palette jumps to pages and records by keyboard', async ({ page, open, bank }) => {
  await bank.reaches((await bank.change('check', { attributes: { metadata: { ticket: 'CHG-77812' } } })).id, 'success')
  await open('/activities')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to…' })
  await field.fill('appro')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Approvals', level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await field.fill(`${bank.path}/environments/live/assets/f`)
  await expect(page.getByRole('option').first()).toContainText(`${bank.path}/environments/live/assets/front`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${bank.path}/environments/live/assets/front`)
  await page.keyboard.press('Control+k')
  await field.fill('CHG-77812')
  await page.getByRole('option', { name: /check/ }).click()
  await expect(page).toHaveURL(/\/activities\/[0-9a-f-]{36}/)
})

test('the outline of the field of the palette is not cut off', async ({ page, open }) => {
  await open('/activities')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or jump to…' })
  await expect(field).toBeFocused()
  const room = await field.evaluate(element => {
    let around = element.parentElement!
    while (getComputedStyle(around).overflowY === 'visible') around = around.parentElement!
    return element.getBoundingClientRect().top - around.getBoundingClientRect().top
  })
  expect(room).toBeGreaterThanOrEqual(4)
})

test('letters go to pages, and not while somebody types', async ({ page, open }) => {
  await open('/activities')
  await page.getByLabel('Path contains…').pressSequentially('gd')
  await expect(page).toHaveURL(/\/activities/)
  await page.getByRole('heading', { name: 'Activities' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible()
})

test('what a person may not read is not found', async ({ page, open }) => {
  await open('/activities', 'carol')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('front')
  await expect(page.getByText('Nothing found.')).toBeVisible()
})

test('the palette is accessible in both themes, narrow and wide', async ({ page, open }) => {
  await open('/activities')
  await page.getByRole('button', { name: 'Search or jump to…' }).click()
  await page.getByRole('combobox').fill('bank')
  await expectGoodEverywhere(page, () => expect(page.getByRole('option').first()).toBeVisible())
})
