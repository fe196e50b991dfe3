export { addressForm, addressPattern, domainOf, type MailAddress, readAddress } from './address.ts'
export { MailFailure } from './mail-failure.ts'
export { type Mailer, type MailToSend, openMailer } from './mailer.adapter.ts'

export { readSmtpUrl, type SmtpServer, smtpUrlForm } from './smtp-server.ts'
