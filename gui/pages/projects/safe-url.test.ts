import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeUrl } from './safe-url.ts'

test('links lead to web pages and to mail only', () => {
  assert.equal(safeUrl('https://example.org/runbook'), 'https://example.org/runbook')
  assert.equal(safeUrl('mailto:ops@example.org'), 'mailto:ops@example.org')
  for (const url of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'x', ''])
    assert.equal(safeUrl(url), undefined, url)
  assert.equal(safeUrl(null), undefined)
})
