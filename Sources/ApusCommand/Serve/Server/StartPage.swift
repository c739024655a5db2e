// SPDX-License-Identifier: MIT

/// A page for a browser: a photo dropped on it is shown as a JPEG.
enum StartPage {
  static let text = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>apus</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 48rem; padding: 0 1rem; color-scheme: light dark }
      label { display: block; border: 2px dashed; border-radius: .5rem; padding: 2rem; text-align: center }
      img { max-width: 100%; margin-top: 1rem }
    </style>
    <h1>apus</h1>
    <label for="file">Drop a HEIC here, or choose one.
      <input id="file" type="file" accept=".heic,.heif,.hif,image/heic,image/heif">
    </label>
    <p id="said" role="status"></p>
    <img id="picture" alt="" hidden>
    <p><a href="v1/openapi.json">What this server can do</a></p>
    <script>
      const said = document.getElementById("said"), picture = document.getElementById("picture")
      async function show(file) {
        said.textContent = "Converting " + file.name + " …"
        picture.hidden = true
        try {
          const answer = await fetch("v1/convert?format=jpeg" + location.search.replace("?", "&"), { method: "POST", body: file })
          if (!answer.ok) throw Error((await answer.json()).detail)
          picture.src = URL.createObjectURL(await answer.blob())
          picture.alt = file.name
          picture.hidden = false
          said.textContent = file.name
        } catch (error) {
          said.textContent = error.message
        }
      }
      document.getElementById("file").onchange = event => show(event.target.files[0])
      document.ondragover = event => event.preventDefault()
      document.ondrop = event => { event.preventDefault(); if (event.dataTransfer.files[0]) show(event.dataTransfer.files[0]) }
    </script>
    </html>

    """
}
