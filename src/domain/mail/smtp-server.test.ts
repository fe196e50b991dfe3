import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSmtpUrl } from './smtp-server.ts'

const login = { user: 'robot@example.org', password: 'p:w/%' }

test('a URL says where the mail server is, whether it is spoken to by TLS, and as whom', () => {
  for (const [url, expected] of [
    ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, tls: 'smtps', login: undefined }],
    ['smtp://mail.example.org/', { host: 'mail.example.org', port: 587, tls: 'starttls', login: undefined }],
    ['smtp://relay:2525?tls=none', { host: 'relay', port: 2525, tls: 'none', login: undefined }],
    ['smtp://[::1]?tls=none', { host: '::1', port: 25, tls: 'none', login: undefined }],
    ['smtps://robot%40example.org:p%3Aw%2F%25@m:4650', { host: 'm', port: 4650, tls: 'smtps', login }],
  ] as const)
    assert.deepEqual(readSmtpUrl(url), expected, url)
})

test('a password goes to nobody in clear, and what is half said or unknown is nothing', () => {
  for (const url of [
    'smtp://robot:secret@relay?tls=none',
    'smtp://robot@relay',
    'smtps://:secret@relay',
    'smtps://robot:%zz@relay',
    'smtps://relay?tls=none',
    'smtp://relay?tls=maybe',
    'smtp://relay/inbox',
    'smtp://relay#1',
    'https://relay',
    'smtp:',
    'relay:25',
    '',
  ])
    assert.equal(readSmtpUrl(url), undefined, url)
})
