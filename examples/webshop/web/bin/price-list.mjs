import { properties, writeIntoRelease } from './step.mjs'

const { products, company } = properties()
writeIntoRelease('price-list.json', `${JSON.stringify({ shop: company.name, products }, null, 2)}\n`)
