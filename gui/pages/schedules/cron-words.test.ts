import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronInWords } from './cron-words.ts'

test('common expressions in words', () => {
  const words: Readonly<Record<string, string>> = {
    '30 2 * * *': 'every day at 02:30',
    '30 2 * * MON-FRI': 'Monday to Friday at 02:30',
    '0 8,20 * * 1-5': 'Monday to Friday at 08:00 and 20:00',
    '0 6 * * sat,0': 'every Saturday and Sunday at 06:00',
    '0 6 * * 7': 'every Sunday at 06:00',
    '0 6 * * tue-thu': 'Tuesday to Thursday at 06:00',
    '0 0 1 * *': 'on day 1 of the month at 00:00',
    '0 0 1,15 * *': 'on day 1 and 15 of the month at 00:00',
    '0 0 L * *': 'on the last day of the month at 00:00',
    '15 4 1 1,7 *': 'on day 1 of the month in January and July at 04:15',
    '* * * * *': 'every minute',
    '*/10 * * * *': 'every 10 minutes',
    '5 * * * *': 'every hour at minute 5',
    '0 */6 * * *': 'every 6 hours at minute 0',
    '@daily': 'every day at 00:00',
    '@Hourly': 'every hour at minute 0',
  }
  for (const [expression, text] of Object.entries(words)) assert.equal(cronInWords(expression), text, expression)
})

test('what cannot be said exactly in few words has none', () => {
  const others = [
    '*/7 2 * * *',
    '0 0 13 * FRI',
    '0 0 * * MON#2',
    '10 0 2 * * *',
    '0 1-5 * * *',
    'nonsense',
    '0 */0 * * *',
  ]
  for (const expression of others) assert.equal(cronInWords(expression), undefined, expression)
  assert.equal(cronInWords('*/5 * * * MON-FRI'), undefined)
})
