/** The sum of the numbers; of none, 0. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
