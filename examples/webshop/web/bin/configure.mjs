import { writeIntoRelease } from './step.mjs'

const { RELEASE, STAGE, PORT, SUPPORT } = process.env
const configuration = { release: Number(RELEASE), stage: STAGE, port: Number(PORT), support: SUPPORT }
writeIntoRelease('configuration.json', `${JSON.stringify(configuration, null, 2)}\n`)
