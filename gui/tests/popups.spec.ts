import { expect, expectGoodEverywhere, test } from './fixtures.ts'

/** Menus by where their buttons are: in the page, in the header, at the foot of narrow windows. */
const menus = [
  { where: 'the page of a node', at: '/projects/bank/environments/live', button: 'More actions for this node' },
  { where: 'a list', at: '/activities', button: 'Views' },
  { where: 'the header', at: '/activities', button: /^Account/ },
]

for (const { where, at, button } of menus)
  test(`an open menu of ${where} is in a landmark, accessible in both themes, narrow and wide`, async ({
    page,
    open,
  }) => {
    await open(at)
    await page.getByRole('button', { name: button }).click()
    await expectGoodEverywhere(page, () => expect(page.getByRole('menuitem').first()).toBeVisible())
  })

test('the menu of the navigation opens at the foot of a narrow window, and moves nothing there', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open('/activities')
  const neighbor = page.getByRole('link', { name: 'Approvals', includeHidden: true })
  const before = await neighbor.boundingBox()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Workflows' })).toBeInViewport({ ratio: 1 })
  expect(before).not.toBeNull()
  expect(await neighbor.boundingBox()).toEqual(before)
})

test('an open choice of a form is accessible in both themes, narrow and wide', async ({ page, open }) => {
  await open('/projects/bank/environments/live/assets/front?run=')
  const choice = page.getByRole('dialog').getByLabel('Action')
  await choice.click()
  await expectGoodEverywhere(page, () => expect(choice).toBeFocused())
})

test('a click before the code of menus is loaded opens the menu once it is there', async ({ page, open }) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let isAsked = false
  await page.route(/\/menu-[^/]*\.js$/, async route => {
    isAsked = true
    await isReleased
    await route.fallback()
  })
  await open('/activities')
  await page.getByRole('button', { name: /^Account/ }).click()
  expect(isAsked).toBe(true)
  release()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
})

test('a tooltip opens under the pointer and by the keyboard, stays under the pointer, and closes by Escape', async ({
  page,
  open,
}) => {
  await open('/activities')
  const button = page.getByRole('button', { name: 'As a command' })
  // Screen readers skip it: the button has the same name.
  const tooltip = page.getByText('As a command', { exact: true })
  await expect(button).toBeVisible()
  await button.hover()
  await expect(tooltip).toBeVisible()
  const box = (await tooltip.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 })
  await page.waitForTimeout(300)
  await expect(tooltip).toBeVisible()
  await page.mouse.move(5, 400)
  await expect(tooltip).toBeHidden()

  await page.keyboard.press('Tab')
  await button.focus()
  await expect(tooltip).toBeVisible()
  await expect(button).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await expect(button).toBeFocused()
  await button.hover()
  await expect(tooltip).toBeVisible()
  await button.click()
  await expect(page.getByRole('dialog', { name: 'As a command' })).toBeVisible()
})
