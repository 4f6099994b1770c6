const { default: Sequencer } = require('@jest/test-sequencer')

/** The long explorations and what starts many processes are small files: without the times of an earlier run, Jest would leave them to the end and to one worker. */
const longFirst = [
  /\/world\/(fault|schedule)/,
  /\/commands\//,
  /\/aws\//,
  /\/model\//,
  /\/(iam|operate)\/|\/(start|examples|access|reconcileMillion|cancelFaults|lostAnswers)(\.deep)?\.test/,
  /\/(stripe\/test\/page|stripe-js|authorize|accounts|console)\//,
]

class LongFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const index = longFirst.findIndex((pattern) => pattern.test(path))
      return index < 0 ? longFirst.length : index
    }
    return super.sort(tests).toSorted((one, other) => place(one) - place(other))
  }
}

module.exports = LongFirst
