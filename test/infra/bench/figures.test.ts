import { describe, expect, it } from '@jest/globals'
import { median } from '../../../infra/bench/coldStart.ts'
import { renderColdFigures, replaceFigures } from '../../../infra/bench/figures.ts'
import { renderGrowthFigures, renderWarmFigures } from '../../../infra/bench/warm/warmFigures.ts'

describe('The table of cold starts', () => {
  it('shows the slowest functions first, those within 50 ms in a row, and a dash where there is no such answer', () => {
    const table = renderColdFigures(40.4, [
      { name: 'users-me', refused: 70.4, served: 110 },
      { name: 'openapi', refused: undefined, served: 99.4 },
      { name: 'billing-checkout', refused: 80, served: 199.4 },
      { name: 'billing-pay', refused: 74, served: 149.6 },
      { name: 'oauth-jwks', refused: 60, served: undefined },
    ])
    expect(table.split('\n')).toEqual([
      '| served from, ms | functions, with ms to a refused/served answer |',
      '|---:|---|',
      '| 150 | `billing-checkout` 80/199, `billing-pay` 74/150 |',
      '| 100 | `users-me` 70/110 |',
      '| 50 | `openapi` –/99 |',
      '| 0 | `oauth-jwks` 60/– |',
      '',
      'A function that does nothing: 40 ms.',
    ])
  })
})

describe('Figures in a text', () => {
  const [open, close] = ['<!-- figures:cold -->', '<!-- /figures:cold -->']

  it('take the place of the earlier ones, and leave the rest alone', () => {
    const text = `before\n${open}\nold\n${close}\nafter <!-- figures:other -->`
    const once = replaceFigures(text, 'cold', 'new')
    expect(once).toBe(`before\n${open}\n\nnew\n\n${close}\nafter <!-- figures:other -->`)
    expect(replaceFigures(once, 'cold', 'new')).toBe(once)
  })

  it.each([
    ['neither mark', 'text'],
    ['no closing mark', `${open} text`],
    ['no opening mark', `text ${close}`],
    ['the marks in the wrong order', `${close} ${open}`],
    ['a mark twice', `${open} ${close} ${open} ${close}`],
  ])('are refused by a text with %s', (_, text) => {
    expect(() => replaceFigures(text, 'cold', 'new')).toThrow(
      'The text has no place for figures: <!-- figures:cold -->',
    )
  })
})

describe('The median', () => {
  it('is the value in the middle, whatever the order', () => {
    expect(median([9, 1, 2])).toBe(2)
  })

  it('is the mean of the two in the middle of an even number', () => {
    expect(median([4, 1, 100, 2])).toBe(3)
  })

  it('is not a number where nothing was measured', () => {
    expect(median([])).toBeNaN()
  })
})

describe('The tables of warm functions', () => {
  const latencies = Array.from({ length: 100 }, (_, at) => 100 - at)
  const figures = { name: 'webhook', calls: 3, inFlight: 16, own: 2.5, floor: 2, ratio: 1.25, latencies }

  it('show processor time beside its floor, and the latency that half, 95 % and 99 % of the calls did not exceed', () => {
    expect(renderWarmFigures([figures, { ...figures, inFlight: 64, own: 2.25, calls: 4 }]).split('\n')).toEqual([
      '| operation | outside calls | 16 in flight | 64 in flight |',
      '|---|---|---|---|',
      '| webhook | 3, 4 | 2.50/2.00 (1.25)<br>50.0/95.0/99.0 | 2.25/2.00 (1.25)<br>50.0/95.0/99.0 |',
    ])
  })

  it('show the growth of each operation beside its own figures with the fewest organizations', () => {
    const rows = [
      { ...figures, organizations: 100 },
      { ...figures, name: 'token', ratio: 2, organizations: 100 },
      { ...figures, own: 3, ratio: 1.5, calls: 4, organizations: 10_000 },
      { ...figures, name: 'token', ratio: 2, organizations: 10_000 },
    ]
    expect(renderGrowthFigures(rows).split('\n')).toEqual([
      '| operation | outside calls | 100 organizations | 10,000 organizations |',
      '|---|---|---|---|',
      '| webhook | 3, 4 | 2.50/2.00 (1.25, 1.00) | 3.00/2.00 (1.50, 1.20) |',
      '| token | 3 | 2.50/2.00 (2.00, 1.00) | 2.50/2.00 (2.00, 1.00) |',
    ])
  })
})
