export { nearestTo } from '#platform/nearest-name.ts'
