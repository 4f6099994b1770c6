const { isDeep } = require('./quickTests.cjs')

/** The filter of Jest in `npm run test:deep`. */
module.exports = (paths) => ({ filtered: paths.filter(isDeep) })
