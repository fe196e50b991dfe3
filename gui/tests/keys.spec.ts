import type { Page } from '@playwright/test'
import { expect, expectGoodEverywhere, test } from './fixtures.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const titlesOf = async (page: Page): Promise<string[]> =>
  dialogOf(page).getByRole('heading', { level: 3 }).allTextContents()

/** Places whose keys each page has, in the order in which the dialog lists them. */
const pages = [
  { at: '/activities', here: ['Lists'] },
  { at: '/projects/bank/environments/live', here: ['Page of a node', 'Tree of projects', 'Trees of steps and nodes'] },
  { at: '/', here: [] },
]

for (const { at, here } of pages)
  test(`the keys of ${at} are listed first, and then those of every page`, async ({ page, open, bank }) => {
    await bank.reaches((await bank.change('check')).id, 'success')
    await open(at)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const title of here)
      await expect(page.locator(`[data-keys="${placeOf[title]}"]`).first(), title).toBeAttached()
    await page.keyboard.press('?')
    await expect(dialogOf(page)).toBeVisible()
    const titles = (await titlesOf(page)).map(title => title.trim())
    const own = titles.filter(title => title.endsWith('on this page'))
    expect(own.map(title => title.replace(/\s*on this page$/, ''))).toEqual(expect.arrayContaining(here))
    expect(titles.slice(own.length, own.length + 2)).toEqual(['Everywhere', 'Go to a page'])
    await expect(dialogOf(page)).toContainText('Ctrl K or /')
    await expect(dialogOf(page)).toContainText('g then d')
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toBeHidden()
  })

const placeOf: Readonly<Record<string, string>> = {
  Lists: 'lists',
  'Page of a node': 'node',
  'Tree of projects': 'projects',
  'Trees of steps and nodes': 'trees',
}

test('the keys of the log come first on an activity, and pages that may not be opened have none', async ({
  page,
  open,
  bank,
}) => {
  const { id } = await bank.change('check')
  await bank.reaches(id, 'success')
  await open(`/activities/${id}`)
  await expect(page.getByRole('log')).toBeVisible()
  await page.keyboard.press('?')
  await expect(dialogOf(page)).toBeVisible()
  const titles = await titlesOf(page)
  expect(titles.slice(0, titles.indexOf('Everywhere'))).toContain('Log on this page')
  await expect(dialogOf(page).getByText('Administration')).toHaveCount(0)
})

test('the dialog opens from the palette and from the account menu, and not while somebody types', async ({
  page,
  open,
}) => {
  await open('/activities')
  await page.getByLabel('Path contains…').pressSequentially('?')
  await expect(dialogOf(page)).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('keyb')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(dialogOf(page)).toBeVisible()
})

test('the dialog says when single letters are switched off', async ({ page, open }) => {
  await open('/activities')
  await page.evaluate(() => localStorage.setItem('sluice.shortcuts', 'off'))
  await page.keyboard.press('?')
  await expect(dialogOf(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(dialogOf(page).getByText(/are switched off in your profile/)).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('sluice.shortcuts'))
})

test('the dialog with all keys is accessible in both themes, narrow and wide', async ({ page, open }) => {
  await open('/projects/bank/environments/live')
  await expect(page.getByRole('tree').first()).toBeVisible()
  await page.keyboard.press('?')
  await expectGoodEverywhere(page, () => expect(dialogOf(page)).toBeVisible())
})
