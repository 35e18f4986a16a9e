/** A form in which so many boxes are to be ticked (data-pick): no more, and nothing is sent with fewer. */
export function pick(form: HTMLFormElement): void {
  const wanted = Number(form.dataset['pick']);
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
  const button = form.querySelector('button');

  function settle(): void {
    const ticked = boxes.filter(({ checked }) => checked).length;
    for (const box of boxes) box.disabled = !box.checked && ticked >= wanted;
    if (button) button.disabled = ticked !== wanted;
  }

  form.addEventListener('change', settle);
  // A page that is gone back to keeps its ticks.
  addEventListener('pageshow', settle);
  settle();
}
