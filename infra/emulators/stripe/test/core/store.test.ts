import { describe, expect, it } from '@jest/globals'
import { emptyState } from '../../state/state.ts'
import { createStore } from '../../state/store.ts'
import { chance } from '../support/chance.ts'

const row = (id: string, at = 0) => ({ id, at, message: 'a version of another release' })

describe('The list of a table', () => {
  it('has what the table has, in its order, whatever was written, removed and undone', () => {
    const random = chance(7)
    const pick = (count: number) => Math.floor(random() * count)
    const state = emptyState()
    const store = createStore(state)
    for (let step = 0; step < 5000; step += 1) {
      // Some ids are numbers, which JavaScript lists first.
      const id = pick(20) === 0 ? String(pick(5)) : `row_${pick(40)}`
      const act = pick(10)
      if (act < 5) store.put('foreign_versions', row(id, step))
      else if (act === 5) store.remove('foreign_versions', id)
      else if (act === 6) store.rollback()
      else if (act === 7) store.commit()
      else expect(store.all('foreign_versions')).toEqual(Object.values(state.rows.foreign_versions))
    }
  })

  it('stays as it was for a reader who goes on while rows are written', () => {
    const store = createStore(emptyState())
    for (const id of ['a', 'b']) store.put('foreign_versions', row(id))
    const list = store.all('foreign_versions')
    expect(store.all('foreign_versions')).toBe(list)
    store.put('foreign_versions', row('a', 1))
    store.put('foreign_versions', row('c'))
    expect(list).toEqual([row('a'), row('b')])
    expect(store.all('foreign_versions')).toEqual([row('a', 1), row('b'), row('c')])
    for (let more = 0; more < 1500; more += 1) store.put('foreign_versions', row(`more_${more}`))
    expect(store.all('foreign_versions')).toHaveLength(1503)
  })
})
