/** Puts text on the clipboard, also where the page is not served over HTTPS. */

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Friends on the same network play over plain HTTP, where there is no clipboard object.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'said';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
