// Draws the page.

drawFit();
drawChanges();
drawTimelines();
drawGroups();
drawMemoryMap();
drawTables();
root.dataset.ready = '';
