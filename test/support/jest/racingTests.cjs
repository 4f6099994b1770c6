const { readFileSync } = require('node:fs')

/** The filter of Jest for the races of `npm run check:deep`: the test files that take the number of racers from `race.ts`, also by `atOnce`. */
module.exports = (paths) => ({
  filtered: paths.filter((path) => /\/support\/race\.ts'|\batOnce\(/.test(readFileSync(path, 'utf8'))),
})
