// The fraction of pixels with a visible difference between two pictures of the page, from 0 to 1.
// The result is null if the page does not use the font of the pictures. Elements that change while
// sound is playing are not compared: the status, and the pictures of gains and levels.
(async () => {
  const read = async data => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const measure = family => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = `16px ${family}`;
    return context.measureText("Draw an audiogram and hear").width;
  };
  if (measure(getComputedStyle(document.body).fontFamily) !== measure('"DejaVu Sans", monospace')) return null;

  const [before, after] = [await read(BEFORE), await read(AFTER)];
  if (before.width !== after.width || before.height !== after.height) return 1;
  const moving = [...document.querySelectorAll("#status, .fitting svg")].map(element => {
    const box = element.getBoundingClientRect();
    return { left: box.left + scrollX - 1, right: box.right + scrollX + 1, top: box.top + scrollY - 1, bottom: box.bottom + scrollY + 1 };
  });
  let changed = 0;
  for (let y = 0; y < after.height; y += 1) {
    const boxes = moving.filter(box => y >= box.top && y <= box.bottom);
    for (let x = 0; x < after.width; x += 1) {
      const at = 4 * (y * after.width + x);
      const isChanged = [0, 1, 2].some(color => Math.abs(before.data[at + color] - after.data[at + color]) > 32);
      if (isChanged && !boxes.some(box => x >= box.left && x <= box.right)) changed += 1;
    }
  }
  return changed / (after.width * after.height);
})()
