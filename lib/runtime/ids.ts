export { ids } from '../adapters/random/ids.ts'
