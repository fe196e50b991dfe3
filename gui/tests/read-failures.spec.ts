import { expect, test } from './fixtures.ts'

/** Lists whose panels once took a failed read for an empty list, or lost their records to it, and what they show. */
const lists = [
  { at: '/projects', reads: '**/api/nodes?*', person: 'ann', shows: 'bank' },
  { at: '/admin/directory', reads: '**/api/events?*', person: 'admin', shows: /No refresh yet|reading users/ },
  { at: '/approvals', reads: '**/api/waiting_steps?*', person: 'carol', shows: 'Nothing waits for you' },
  { at: '/access/users/ann', reads: '**/api/activities?*', person: 'admin', shows: 'Recent activities' },
  { at: '/me', reads: '**/api/tokens?*', person: 'ann', shows: 'tokens' },
]

const fault = { status: '500', code: 'internal', title: 'Something went wrong', detail: 'It was recorded.' }

for (const { at, reads, person, shows } of lists)
  test(`a list of ${at} that cannot be read says so, and is there once it can be read`, async ({ page, open }) => {
    let isBroken = true
    await page.route(reads, route =>
      isBroken ? route.fulfill({ status: 500, json: { errors: [fault] } }) : route.fallback(),
    )
    await open(at, person)
    await expect(page.getByRole('alert').first()).toContainText('It was recorded.')
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' }).first()).toBeVisible()
    isBroken = false
    // Not by the button: a live list may have been read again before the click.
    await page.reload()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible()
  })
