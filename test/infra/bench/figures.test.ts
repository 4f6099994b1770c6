import { describe, expect, it } from '@jest/globals'
import { median } from '../../../infra/bench/coldStart.ts'
import { renderColdFigures, replaceFigures } from '../../../infra/bench/figures.ts'
import { renderGrowthFigures, renderWarmFigures } from '../../../infra/bench/warm/warmFigures.ts'

describe('The table of cold starts', () => {
  it('shows each time with its ratio to the bare function, and a dash where there is none', () => {
    const table = renderColdFigures(40, [
      { name: 'users-me', refused: 70.4, served: 90 },
      { name: 'billing-sweep', refused: undefined, served: 100 },
    ])
    expect(table.split('\n')).toEqual([
      '| function | first answer refused | first answer served |',
      '|---|---|---|',
      '| a function that does nothing | 40 ms (1) | – |',
      '| `users-me` | 70 ms (1.76) | 90 ms (2.25) |',
      '| `billing-sweep` | – | 100 ms (2.50) |',
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
    expect(renderWarmFigures([figures]).split('\n').at(-1)).toBe(
      '| webhook | 3 | 16 | 2.50 ms | 2.00 ms | 1.25 | 50.0 ms | 95.0 ms | 99.0 ms |',
    )
  })

  it('show the growth of each operation beside its own figures with the fewest organizations', () => {
    const rows = [
      { ...figures, organizations: 100 },
      { ...figures, name: 'token', ratio: 2, organizations: 100 },
      { ...figures, ratio: 1.5, organizations: 10_000 },
    ]
    expect(renderGrowthFigures(rows).split('\n').slice(2)).toEqual([
      '| webhook | 100 | 3 | 2.50 ms | 2.00 ms | 1.25 | 1.00 |',
      '| token | 100 | 3 | 2.50 ms | 2.00 ms | 2.00 | 1.00 |',
      '| webhook | 10,000 | 3 | 2.50 ms | 2.00 ms | 1.50 | 1.20 |',
    ])
  })
})
