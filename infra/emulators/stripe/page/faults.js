import { count, words } from './format.js'

const methodOf = (method) => (method === '*' ? 'any' : method)

/** A planted fault in words. */
export function faultText({ method, path, kind, status: code, times, saved, effect, delay_ms }) {
  const what = {
    status: `answers ${code ?? 500}${saved ? ', saved' : ''}${effect ? ', after effect' : ''}`,
    drop_before: 'cut before effect',
    drop_after: 'answer lost after effect',
    delay: `${delay_ms} ms late`,
  }
  return `${methodOf(method)} ${path}: ${what[kind] ?? words(kind)}, ${count(times ?? 1, 'time')}`
}

/** A plan of faults from a seed in words. */
export function planText({ seed, rate, method, path, planted }) {
  return `Seed ${seed}: ${rate * 100} % of ${methodOf(method)} ${path}, ${planted.length} met so far`
}
