const isDeep = (path) => path.endsWith('.deep.test.ts')

/** The filter of Jest that package.json names: a `*.deep.test.ts` runs only if an argument names such a file, or in `npm run test:deep`. */
module.exports = (paths) => ({
  filtered: process.argv.some(isDeep) ? paths : paths.filter((path) => !isDeep(path)),
})
module.exports.isDeep = isDeep
